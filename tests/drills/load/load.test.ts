import { expect, test } from 'vitest'
import { loadDrill } from './load.ts'

test.runIf(process.platform === 'linux')(
  'under a light load every request is answered and every message is shown once on each open page',
  async () => {
    const { steps, sustained, live } = await loadDrill({
      rates: [10],
      stepSeconds: 1,
      holdSeconds: 2,
      members: 2,
      listeners: 2,
      behindSeconds: Infinity,
      limited: true,
    })
    for (const felt of steps) expect(felt).toMatchObject({ answers: 10, wrong: [] })
    expect(sustained).toMatchObject({ answers: 20, wrong: [] })
    expect(live).toMatchObject({ missed: 0, doubled: 0 })
    expect(live.expected).toBeGreaterThan(0)
  },
  180_000,
)

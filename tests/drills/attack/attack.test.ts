import { expect, test } from 'vitest'
import { attackDrill } from './attack.ts'

test.runIf(process.platform === 'linux')(
  'under every attack at once members are answered, and nothing dies',
  async () => {
    const options = { seconds: 1, togetherSeconds: 4, warmSeconds: 1, quietSeconds: 0, alone: [], attackers: 4 }
    const { attacks, before, again } = await attackDrill(options)
    const together = { name: 'all at once', wrong: [] }
    expect(attacks).toMatchObject([together, together])
    expect(again.parts).toEqual(before.parts)
    expect(again.live).toBeGreaterThan(0)
  },
)

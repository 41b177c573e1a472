import { describe, expect, it } from 'vitest'
import { keepRunning, onceEachTime } from '../../eventstore/retry.ts'

describe('work that is kept running', () => {
  it('goes on after what it throws, and what it throws is reported', async () => {
    const ending = new AbortController()
    const reported: unknown[] = []
    let runs = 0
    const work = async () => {
      runs++
      if (runs === 3) ending.abort()
      throw new Error(`run ${runs}`)
    }
    await keepRunning(ending.signal, work, (error) => void reported.push((error as Error).message))
    expect(runs).toBe(3)
    expect(reported).toEqual(['run 1', 'run 2'])
  })

  it('goes on after it ends', async () => {
    const ending = new AbortController()
    let runs = 0
    const work = async (gotOn: () => void) => {
      gotOn()
      if (++runs === 4) ending.abort()
    }
    await keepRunning(ending.signal, work, () => undefined)
    expect(runs).toBe(4)
  })

  it('does not begin once the signal ended', async () => {
    let runs = 0
    await keepRunning(
      AbortSignal.abort(),
      async () => void runs++,
      () => undefined,
    )
    expect(runs).toBe(0)
  })
})

it('reports a failure once, until another comes or the work is done in between', () => {
  const reported: string[] = []
  const { failed, worked } = onceEachTime((error) => void reported.push((error as Error).message))
  const fail = (message: string, name: string) => failed(Object.assign(new Error(message), { name }))
  for (const n of [1, 2]) fail(`away ${n}`, 'LogUnavailable')
  for (const n of [1, 2]) fail(`too new ${n}`, 'TooNewEvent')
  worked()
  fail('too new 3', 'TooNewEvent')
  expect(reported).toEqual(['away 1', 'too new 1', 'too new 3'])
})

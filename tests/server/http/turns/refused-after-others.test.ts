import { afterEach, expect, test, vi } from 'vitest'
import { Arrivals } from '../../../../server/http/turns/arrivals.ts'
import { NetworkTurns } from '../../../../server/http/turns/network-turns.ts'
import { RequestTurns } from '../../../../server/http/turns/request-turns.ts'

afterEach(() => vi.useRealTimers())

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('whoever was refused comes after those who wait with them, and is as anybody a few minutes later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const turns = new NetworkTurns({ ofAll: 1, turnMs: 3_600_000, openMs: 3_600_000 })
  const order = async () => {
    const end = await turns.begin('other', 'Other')
    const begun: string[] = []
    const waiting = ['Mallory', 'Ann'].map((holder) =>
      turns.begin('a', holder).then((ends) => {
        begun.push(holder)
        ends()
      }),
    )
    end()
    await Promise.all(waiting)
    return begun
  }
  expect(await order()).toEqual(['Mallory', 'Ann'])
  turns.refused('a', 'Mallory')
  expect(await order()).toEqual(['Ann', 'Mallory'])
  vi.advanceTimersByTime(300_000)
  expect(await order()).toEqual(['Mallory', 'Ann'])
})

test('of what was refused, a file counts among files as well, and a probe nowhere', async () => {
  const turns = new RequestTurns({ turnMs: 60_000, ofAll: 2 }, new Arrivals(0))
  const order = async (asks: { bringsFiles?: boolean }) => {
    const before = ['One', 'Other'].map((holder) => turns.of({ network: 'n', holder, ...asks }))
    await Promise.all(before.map((turn) => turn.begin()))
    const begun: string[] = []
    const waiting = ['Mallory', 'Ann'].map(async (holder) => {
      const turn = turns.of({ network: 'n', holder, ...asks })
      await turn.begin()
      begun.push(holder)
      turn.answered(200)
    })
    await settled()
    for (const turn of before) turn.answered(200)
    await Promise.all(waiting)
    return begun
  }
  turns.of({ network: 'n', holder: 'Mallory', isProbe: true }).answered(429)
  expect(await order({})).toEqual(['Mallory', 'Ann'])
  turns.of({ network: 'n', holder: 'Mallory', bringsFiles: true }).answered(422)
  expect([await order({}), await order({ bringsFiles: true })]).toEqual(Array(2).fill(['Ann', 'Mallory']))
})

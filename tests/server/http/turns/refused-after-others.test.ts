import { afterEach, expect, test, vi } from 'vitest'
import { Arrivals } from '../../../../server/http/turns/arrivals.ts'
import { isAskedByBrowsers } from '../../../../server/http/turns/asks.ts'
import { NetworkTurns } from '../../../../server/http/turns/network-turns.ts'
import { RequestTurns } from '../../../../server/http/turns/request-turns.ts'

afterEach(() => vi.useRealTimers())

const settled = () => new Promise((resolve) => setImmediate(resolve))
type Who = readonly [network: string, holder?: string]

/** Turns of one at a time; `order`: in which those begin who wait together. */
function oneAtATime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const turns = new NetworkTurns({ ofAll: 1, turnMs: 3_600_000, openMs: 3_600_000 })
  const order = async (...all: Who[]) => {
    const end = await turns.begin('other', 'Other')
    const begun: string[] = []
    const waiting = all.map(([network, holder]) =>
      turns.begin(network, holder).then((ends) => {
        begun.push(holder ?? network)
        ends()
      }),
    )
    end()
    await Promise.all(waiting)
    return begun
  }
  const refuse = (times: number, ...[network, holder]: Who) => {
    for (let at = 0; at < times; at++) turns.refused(network, holder)
  }
  /** A request of theirs that takes so long. */
  const take = async (ms: number, ...[network, holder]: Who) => {
    const end = await turns.begin(network, holder)
    vi.advanceTimersByTime(ms)
    end()
  }
  return { order, refuse, take }
}

test('whoever was refused again and again comes after those who wait with them, and is as anybody minutes later', async () => {
  const { order, refuse } = oneAtATime()
  const both = () => order(['a', 'Mallory'], ['a', 'Ann'])
  refuse(3, 'a', 'Mallory')
  expect(await both()).toEqual(['Mallory', 'Ann'])
  refuse(1, 'a', 'Mallory')
  expect(await both()).toEqual(['Ann', 'Mallory'])
  vi.advanceTimersByTime(300_000)
  expect(await both()).toEqual(['Mallory', 'Ann'])
})

test('a network that is refused hundreds of times comes last, and counts no more than five seconds for it', async () => {
  const { order, refuse, take } = oneAtATime()
  refuse(500, 'noisy')
  await take(4_000, 'quiet')
  expect(await order(['noisy'], ['quiet'])).toEqual(['quiet', 'noisy'])
  await take(2_000, 'quiet')
  expect(await order(['quiet'], ['noisy'])).toEqual(['noisy', 'quiet'])
})

test('the neighbours of who was refused hundreds of times are as anybody within a minute after the last time', async () => {
  const { order, refuse } = oneAtATime()
  refuse(500, 'noisy')
  vi.advanceTimersByTime(60_000)
  expect(await order(['noisy'], ['quiet'])).toEqual(['noisy', 'quiet'])
})

test('a member who is refused hundreds of times comes last, whatever time others took', async () => {
  const { order, refuse, take } = oneAtATime()
  refuse(500, 'a', 'Mallory')
  await take(20_000, 'a', 'Ann')
  expect(await order(['a', 'Mallory'], ['a', 'Ann'])).toEqual(['Ann', 'Mallory'])
})

type Sent = { bringsFiles?: boolean; isProbe?: boolean; byBrowser?: boolean }
async function orderAfter(status: number, times: number, sent: Sent, then: Sent = {}) {
  const turns = new RequestTurns({ turnMs: 60_000, ofAll: 2 }, new Arrivals(0))
  for (let at = 0; at < times; at++) turns.of({ network: 'n', holder: 'Mallory', ...sent }).answered(status)
  const before = ['One', 'Other'].map((holder) => turns.of({ network: 'n', holder, ...then }))
  await Promise.all(before.map((turn) => turn.begin()))
  const begun: string[] = []
  const waiting = ['Mallory', 'Ann'].map(async (holder) => {
    const turn = turns.of({ network: 'n', holder, ...then })
    await turn.begin()
    begun.push(holder)
    turn.answered(200)
  })
  await settled()
  for (const turn of before) turn.answered(200)
  await Promise.all(waiting)
  return begun
}

test('of what was refused, each file counts among files and with the others, and what browsers ask for and probes nowhere', async () => {
  const files = { bringsFiles: true }
  expect(await orderAfter(422, 1, files, files)).toEqual(['Ann', 'Mallory'])
  expect(await orderAfter(422, 4, files)).toEqual(['Ann', 'Mallory'])
  expect(await orderAfter(429, 4, {})).toEqual(['Ann', 'Mallory'])
  expect(await orderAfter(200, 100, {})).toEqual(['Mallory', 'Ann'])
  expect(await orderAfter(429, 100, { isProbe: true })).toEqual(['Mallory', 'Ann'])
  expect(await orderAfter(429, 100, { byBrowser: true })).toEqual(['Mallory', 'Ann'])
})

test.each([
  ['POST', '/csp-report', true],
  ['GET', '/csp-report', false],
  ['GET', '/favicon.ico', true],
  ['HEAD', '/apple-touch-icon-precomposed.png?v=2', true],
  ['GET', '/assets/root-B1x2.js', true],
  ['POST', '/assets/root-B1x2.js', false],
  ['GET', '/discover.data', false],
  ['GET', '/openapi.json', false],
  ['GET', '/media/abc.png', false],
  ['GET', '/api/x.png', false],
  ['GET', '/', false],
])('whether browsers ask %s %s by themselves: %s', (method, url, asked) => {
  expect(isAskedByBrowsers({ method, url })).toBe(asked)
})

import { expect, test } from 'vitest'
import { Arrivals } from '../../../server/http/turns/arrivals.ts'
import { RequestTurns } from '../../../server/http/turns/request-turns.ts'

/** Connections in every round of the event loop, each of which takes a millisecond of `clock`. */
function endless(mostMs: number) {
  const clock = { now: 0, stopped: false }
  const arrivals = new Arrivals(mostMs, () => clock.now)
  const round = () => {
    clock.now += 1
    arrivals.note()
    if (!clock.stopped) setImmediate(round)
  }
  setImmediate(round)
  return { arrivals, clock }
}

test('work begins once no connection waits, and after a while though they never end', async () => {
  const { arrivals, clock } = endless(100)
  await arrivals.settled()
  expect(clock.now).toBeGreaterThanOrEqual(100)
  expect(clock.now).toBeLessThan(110)
  clock.stopped = true
})

test('half of the time at most is spent on waiting, though one asks after the other and connections never end', async () => {
  const { arrivals, clock } = endless(50)
  let waited = 0
  while (clock.now < 1_000) {
    const since = clock.now
    await arrivals.settled()
    waited += clock.now - since
    await new Promise(setImmediate)
  }
  expect(waited).toBeGreaterThan(300)
  expect(waited).toBeLessThan(600)
  clock.stopped = true
})

test('who was vouched for waits for no connections', async () => {
  const { arrivals, clock } = endless(100)
  const turns = new RequestTurns({}, arrivals)
  await turns.begin({ network: 'a', holder: 'Ann' })
  expect(clock.now).toBeLessThan(5)
  await turns.begin({ network: 'a' })
  expect(clock.now).toBeGreaterThanOrEqual(100)
  clock.stopped = true
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveConnection, type LiveOptions } from '../../../app/live/connection.ts'
import { Reloading } from '../../../app/live/reloading.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { ServerFrame } from '../../../realtime/protocol.ts'
import { fakeServer } from './fake-socket.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const at = (n: number) => String(n).padStart(13, '0') as Position
const ready = (pos: number, epoch = 'log-1'): ServerFrame => ({ type: 'ready', userId: 'me', pos: at(pos), epoch })
const beat = (pos: number): ServerFrame => ({ type: 'heartbeat', pos: at(pos), now: 0 })
const again: ServerFrame = { type: 'resync', reason: 'gap' }

function start(options: Partial<LiveOptions> = {}) {
  const server = fakeServer()
  const live = new LiveConnection({
    url: 'ws://x/realtime',
    from: at(5),
    reload: async () => at(50),
    open: server.open,
    random: () => 0,
    ...options,
  })
  live.start()
  return { ...server, live }
}

/** A page whose loaders answer these positions, one after the other, the last for ever. */
function pageAt(...positions: (string | null)[]) {
  const reads = { count: 0 }
  const page: Reloading = new Reloading(() => {
    page.update(true, positions[0] ?? null)
    queueMicrotask(() => page.update(false, positions[Math.min(reads.count++, positions.length - 1)] ?? null))
  })
  page.update(false, null)
  return { page, reads }
}

test('a page that is read without a position says so', async () => {
  const { page, reads } = pageAt(null)
  const whole = page.whole()
  await vi.advanceTimersByTimeAsync(100)
  expect(await Promise.race([whole, 'nothing'])).toBeNull()
  expect(reads.count).toBe(1)
})

test('a page that was read without a position is read again, and live once it has one', async () => {
  const { page, reads } = pageAt(null, null, at(50))
  const { last, sockets, live } = start({ from: null, reload: () => page.whole() })
  last().open().deliver(ready(5), again)
  for (let n = 0; n < 2; n++) {
    const opened = sockets.length
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sockets).toHaveLength(opened + 1)
    last().open().deliver(ready(5), again)
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reads.count).toBe(3)
  expect(last().of('resume')).toEqual([{ type: 'resume', last: at(50), epoch: 'log-1' }])
  last().deliver(beat(60))
  expect(live.state).toBe('live')
})

test('resyncs that go on are ever further apart, up to half a minute, and soon again after a calm minute', async () => {
  const reload = vi.fn(async () => at(40))
  const { last } = start({ reload })
  last().open().deliver(ready(60), again)
  const waits: number[] = []
  const untilRead = async () => {
    const [before, startedAt] = [reload.mock.calls.length, Date.now()]
    last().deliver(again)
    for (let n = 0; n < 400 && reload.mock.calls.length === before; n++) await vi.advanceTimersByTimeAsync(100)
    return Date.now() - startedAt
  }
  await vi.advanceTimersByTimeAsync(0)
  for (let n = 0; n < 7; n++) waits.push(await untilRead())
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  for (let n = 0; n < 3; n++) {
    last().deliver(beat(60))
    await vi.advanceTimersByTimeAsync(25_000)
  }
  expect(await untilRead()).toBeLessThanOrEqual(100)
})

test('a resync that waits for a connection which ends reads nothing', async () => {
  const reload = vi.fn(async () => at(40))
  const { last, live } = start({ reload })
  last().open().deliver(ready(60), again)
  await vi.advanceTimersByTimeAsync(0)
  last().deliver(again)
  live.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a page that resumes too often waits as long as it is asked to, and goes on where it was read', async () => {
  const { last, sockets, live } = start({ reload: async () => at(40) })
  last().open().deliver(ready(60), again)
  await vi.advanceTimersByTimeAsync(0)
  last().deliver({ type: 'error', for: 'resume', error: 'Too many.', code: 'rate', retryInMs: 7_000 })
  await vi.advanceTimersByTimeAsync(6_900)
  expect([live.state, sockets.length]).toEqual(['waiting', 1])
  await vi.advanceTimersByTimeAsync(200)
  expect(sockets).toHaveLength(2)
  expect(last().open().sent).toEqual([{ type: 'auth', last: at(40), epoch: 'log-1' }])
})

test('a socket that is cut before its resync comes back with the epoch of what the page has', async () => {
  const { last } = start()
  last().open().deliver(ready(5), beat(7)).end(1006)
  await vi.advanceTimersByTimeAsync(1_000)
  last().open().deliver(ready(7, 'log-1.set-back')).end(1006)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(last().open().sent[0]).toEqual({ type: 'auth', last: at(7), epoch: 'log-1' })
  last().deliver(ready(7, 'log-1.set-back'), { type: 'resync', reason: 'epoch' })
  await vi.advanceTimersByTimeAsync(0)
  expect(last().of('resume')).toEqual([{ type: 'resume', last: at(50), epoch: 'log-1.set-back' }])
  // It was cut again: what the page has was read since.
  last().end(1006)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(last().open().sent[0]).toEqual({ type: 'auth', last: at(50), epoch: 'log-1.set-back' })
})

test('the first socket of a page names the epoch that the page was read in', () => {
  const { last } = start({ epoch: 'log-0' })
  expect(last().open().sent).toEqual([{ type: 'auth', last: at(5), epoch: 'log-0' }])
})

test('a page without a position names its epoch all the same', () => {
  const { last } = start({ from: null, epoch: 'log-0' })
  expect(last().open().of('auth')).toMatchObject([{ epoch: 'log-0' }])
})

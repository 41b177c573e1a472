import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveConnection, type LiveOptions } from '../../../app/live/connection.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { CloseCode, type EventFrame, type ServerFrame } from '../../../realtime/protocol.ts'
import { fakeServer } from './fake-socket.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const at = (n: number) => String(n).padStart(13, '0') as Position
const ready = (pos: number): ServerFrame => ({ type: 'ready', userId: 'me', pos: at(pos), epoch: 'log-1' })
const beat = (pos: number): ServerFrame => ({ type: 'heartbeat', pos: at(pos), now: 0 })
const news = (id: string, pos: number): EventFrame => ({
  type: 'event',
  name: 'room:closed',
  id,
  pos: at(pos),
  at: '',
  data: { roomId: id },
})
const words = (id: string, pos: number): EventFrame => ({
  type: 'event',
  name: 'direct:message',
  id,
  pos: at(pos),
  at: '',
  data: { id, roomId: 'r', from: 'a', to: 'b', number: pos, text: id, time: '' },
})

function start(options: Partial<LiveOptions> = {}) {
  const server = fakeServer()
  const seen: string[] = []
  const live = new LiveConnection({
    url: 'ws://x/realtime',
    from: at(5),
    reload: async () => at(50),
    open: server.open,
    random: () => 0,
    ...options,
  })
  live.on('event', ({ id }) => seen.push(id))
  live.start()
  return { ...server, live, seen }
}

test('the first frame says where the page is; later ones where the page has come to', () => {
  const { last, live } = start()
  last().open()
  expect(last().sent).toEqual([{ type: 'auth', last: at(5) }])
  last().deliver(ready(5), beat(7))
  expect(live.state).toBe('live')
  expect(last().of('heartbeat')).toEqual([{ type: 'heartbeat', pos: at(7) }])
  last().end(1006)
  vi.advanceTimersByTime(1_000)
  last().open()
  expect(last().sent).toEqual([{ type: 'auth', last: at(7), epoch: 'log-1' }])
})

test('two events of one position are both shown when the connection ends between them', () => {
  const { last, seen } = start()
  last().open().deliver(ready(5), beat(5), news('a', 8), news('b', 9))
  last().end(1006)
  vi.advanceTimersByTime(1_000)
  // Everything before position 9 has come; of position 9 more may.
  expect(last().open().sent[0]).toMatchObject({ last: at(8) })
  last().deliver(ready(8), news('b', 9), news('c', 9), beat(9))
  expect(seen).toEqual(['a', 'b', 'c'])
})

test('what comes again is not shown again', () => {
  const { last, seen } = start()
  last().open().deliver(ready(5), news('old', 4), news('old', 5), news('a', 6), news('a', 6), beat(6), news('a', 6))
  expect(seen).toEqual(['a'])
})

test('the memory holds 150 ids of notifications and 300 of messages', () => {
  const { last, seen } = start({ from: null })
  last().open().deliver(ready(1), beat(1))
  const many = (make: typeof news, count: number) =>
    Array.from({ length: count }, (_, n) => make(`${make.name}${n}`, 9))
  last().deliver(...many(news, 151), ...many(words, 301))
  seen.length = 0
  last().deliver(news('news1', 9), words('words1', 9))
  expect(seen).toEqual([])
  last().deliver(news('news0', 9), words('words0', 9))
  expect(seen).toEqual(['news0', 'words0'])
})

test('it comes back one second later, with up to 20 % jitter, for as long as it takes', () => {
  let jitter = 0
  const { sockets, last } = start({ random: () => jitter })
  for (const [random, delay] of [
    [0, 1_000],
    [1, 1_200],
    [0.5, 1_100],
  ] as const) {
    jitter = random
    const before = sockets.length
    last().end(1006)
    vi.advanceTimersByTime(delay - 1)
    expect(sockets).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(sockets).toHaveLength(before + 1)
  }
})

test('a node that leaves says when to come back', () => {
  const { sockets, last } = start()
  last().open().deliver(ready(5), beat(5), { type: 'bye', retryInMs: 4_000 })
  last().end(CloseCode.drain)
  vi.advanceTimersByTime(3_999)
  expect(sockets).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(sockets).toHaveLength(2)
})

test('it stays away after a refusal that would come again, and reports the session that is over', () => {
  for (const [code, over] of [
    [CloseCode.signedOut, 1],
    [CloseCode.badFrame, 0],
    [CloseCode.tooManySockets, 0],
  ] as const) {
    const signedOut = vi.fn()
    const { sockets, last, live } = start({ signedOut })
    last().open().end(code)
    vi.advanceTimersByTime(60_000)
    expect(sockets).toHaveLength(1)
    expect(live.state).toBe('stopped')
    expect(signedOut).toHaveBeenCalledTimes(over)
  }
})

test('it comes back after a flood, a drain and a broken connection', () => {
  for (const code of [CloseCode.flood, CloseCode.drain, 1006, 1001, 1011, 1009]) {
    const { sockets, last } = start()
    last().open().end(code)
    vi.advanceTimersByTime(1_000)
    expect(sockets, String(code)).toHaveLength(2)
  }
})

test('a resync reads the page again and resumes from the position it was read at', async () => {
  const reload = vi.fn(async () => at(40))
  const { last, seen, live } = start({ reload })
  last().open().deliver(ready(60), { type: 'resync', reason: 'gap' })
  await vi.advanceTimersByTimeAsync(0)
  expect(reload).toHaveBeenCalledWith('gap')
  expect(last().of('resume')).toEqual([{ type: 'resume', last: at(40), epoch: 'log-1' }])
  expect(live.state).toBe('connecting')
  last().deliver(news('n', 45), beat(60))
  expect(live.state).toBe('live')
  expect(seen).toEqual(['n'])
})

test('what was shown after the position that a reload went back to is shown again', async () => {
  const { last, seen } = start({ reload: async () => at(6) })
  last().open().deliver(ready(5), beat(5), news('a', 6), news('b', 8), { type: 'resync', reason: 'epoch' })
  await vi.advanceTimersByTimeAsync(0)
  last().deliver(news('a', 6), news('b', 8))
  expect(seen).toEqual(['a', 'b', 'b'])
})

test('resyncs that follow each other are a second apart', async () => {
  const reload = vi.fn(async () => at(40))
  const { last } = start({ reload })
  last().open().deliver(ready(60), { type: 'resync', reason: 'gap' })
  await vi.advanceTimersByTimeAsync(0)
  last().deliver({ type: 'resync', reason: 'gap' })
  await vi.advanceTimersByTimeAsync(900)
  expect(reload).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(reload).toHaveBeenCalledTimes(2)
})

test('it does not try while the network is away, and does at once when it is back', () => {
  const { sockets, last, live } = start()
  last().open().deliver(ready(5), beat(5))
  live.offline()
  vi.advanceTimersByTime(600_000)
  expect(live.state).toBe('offline')
  expect(sockets).toHaveLength(1)
  live.nudge()
  expect(sockets).toHaveLength(2)
})

test('a try that is due while nobody looks or the network is away waits until the page is nudged', () => {
  let waits = false
  const { sockets, last, live } = start({ waits: () => waits })
  last().open().deliver(ready(5), beat(5)).end(1006)
  waits = true
  vi.advanceTimersByTime(600_000)
  live.nudge()
  expect([live.state, sockets.length]).toEqual(['waiting', 1])
  waits = false
  live.nudge()
  expect(sockets).toHaveLength(2)
})

test('the network that is back connects no page that nobody looks at', () => {
  let waits = false
  const { sockets, last, live } = start({ waits: () => waits })
  last().open().deliver(ready(5), beat(5))
  live.offline()
  waits = true
  live.nudge()
  expect([live.state, sockets.length]).toEqual(['offline', 1])
  waits = false
  live.nudge()
  expect(sockets).toHaveLength(2)
})

test('a server that falls silent is left for a new connection', () => {
  const { sockets, last } = start()
  last().open().deliver(ready(5), beat(5))
  vi.advanceTimersByTime(54_000)
  expect(sockets).toHaveLength(1)
  vi.advanceTimersByTime(3_000)
  expect(sockets).toHaveLength(2)
})

test('rooms are joined again on each connection, until they are left', () => {
  const { last, live } = start()
  const leave = live.join('a_b')
  const rooms = () => last().sent.filter(({ type }) => type === 'joinRoom' || type === 'leaveRoom')
  last().open().deliver(ready(5), beat(5))
  expect(rooms()).toEqual([{ type: 'joinRoom', data: { roomId: 'a_b' } }])
  last().end(1006)
  vi.advanceTimersByTime(1_000)
  last().open().deliver(ready(5), beat(5))
  expect(rooms()).toHaveLength(1)
  leave()
  expect(rooms().at(-1)).toEqual({ type: 'leaveRoom', data: { roomId: 'a_b' } })
})

test('a question is answered by its ack or error, and lost with its connection', async () => {
  const { last, live } = start()
  expect(await live.ask('joinRoom', { roomId: 'x' })).toMatchObject({ ok: false, code: 'lost' })
  last().open().deliver(ready(5), beat(5))
  const answers = ['one', 'two', 'three'].map((roomId) => live.ask('joinRoom', { roomId }))
  const ids = last()
    .of('joinRoom')
    .map(({ id }) => String(id))
  last().deliver({ type: 'ack', id: ids[0]!, pos: at(6) })
  last().deliver({ type: 'error', for: ids[1]!, error: 'Not found', code: 'not_found' })
  last().end(1006)
  expect(await Promise.all(answers)).toEqual([
    { ok: true, pos: at(6) },
    { ok: false, error: 'Not found', code: 'not_found' },
    { ok: false, error: 'The connection was lost.', code: 'lost' },
  ])
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveConnection } from '../../../app/live/connection.ts'
import { Outbox } from '../../../app/live/outbox.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { FAILED, MESSAGE_WORDS, TOO_MANY } from '../../../realtime/words.ts'
import { wrong } from '../../support/wrong.ts'
import { fakeServer } from './fake-socket.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pos = '0000000000009' as Position
const draft = { to: 'bea', roomId: 'ann_bea', text: 'Hello' }

function start() {
  const server = fakeServer()
  const live = new LiveConnection({
    url: 'ws://x',
    from: pos,
    reload: async () => pos,
    open: server.open,
    random: () => 0,
  })
  let made = 0
  const outbox = new Outbox(live, () => `m${++made}`)
  const connect = async () => {
    server.last().open().deliver({ type: 'ready', userId: 'ann', pos, epoch: 'e' }, { type: 'heartbeat', pos, now: 0 })
    await vi.advanceTimersByTimeAsync(0)
  }
  const sent = () => server.last().of('direct:message')
  const answer = async (frame: object) => {
    server.last().deliver(wrong({ id: sent().at(-1)!.id, for: sent().at(-1)!.id, ...frame }))
    await vi.advanceTimersByTimeAsync(0)
  }
  const states = () => outbox.list().map(({ id, state }) => `${id} ${state}`)
  live.start()
  return { ...server, live, outbox, connect, sent, answer, states }
}

test('a message shows at once, and is sent when there is a connection', async () => {
  const { outbox, connect, sent, answer, states } = start()
  outbox.send(draft)
  expect(states()).toEqual(['m1 sending'])
  expect(sent()).toEqual([])
  await connect()
  expect(sent()).toMatchObject([{ data: { ...draft, id: 'm1' } }])
  await answer({ type: 'ack', pos })
  expect(states()).toEqual(['m1 sent'])
})

test('an unknown outcome is tried again under the same id, before what was written later', async () => {
  const { outbox, connect, sent, answer, last } = start()
  await connect()
  outbox.send(draft)
  outbox.send({ ...draft, text: 'Second' })
  last().end(1006)
  await vi.advanceTimersByTimeAsync(1_000)
  await connect()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent()).toMatchObject([{ data: { id: 'm1' } }])
  await answer({ type: 'ack', pos })
  expect(sent().map(({ data }) => (data as { id: string }).id)).toEqual(['m1', 'm2'])
})

test('a refused message stays with the reason, holds up no other, and can be sent again', async () => {
  const { outbox, connect, sent, answer, states } = start()
  await connect()
  outbox.send(draft)
  outbox.send(draft)
  await answer({ type: 'error', error: 'You need to be matched first!', code: 'not_matched' })
  expect(states()).toEqual(['m1 failed', 'm2 sending'])
  expect(outbox.list()[0]).toMatchObject({ error: 'You need to be matched first!' })
  await answer({ type: 'ack', pos })
  outbox.retry('m1')
  expect(states()).toEqual(['m1 sending', 'm2 sent'])
  expect(sent().at(-1)).toMatchObject({ data: { id: 'm1' } })
  await answer({ type: 'ack', pos })
  outbox.drop('m1')
  expect(states()).toEqual(['m2 sent'])
})

test.each([TOO_MANY, MESSAGE_WORDS['slow-down'], FAILED])(
  'one that comes too fast, or while a part is away, waits as long as the server says: $code',
  async (words) => {
    const { outbox, connect, sent, answer } = start()
    await connect()
    outbox.send(draft)
    await answer({ type: 'error', ...words, retryInMs: 3_000 })
    await vi.advanceTimersByTimeAsync(2_900)
    expect(sent()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(sent()).toHaveLength(2)
  },
)

test('one that is refused for the rest of the day stays with the reason, and holds up no other', async () => {
  const { outbox, connect, answer, states } = start()
  await connect()
  outbox.send(draft)
  outbox.send(draft)
  await answer({ type: 'error', ...MESSAGE_WORDS['slow-down'], retryInMs: 3_600_000 })
  expect(states()).toEqual(['m1 failed', 'm2 sending'])
  expect(outbox.list()[0]).toMatchObject({ error: MESSAGE_WORDS['slow-down'].error })
  await answer({ type: 'ack', pos })
  expect(states()).toEqual(['m1 failed', 'm2 sent'])
})

test('a message that the log brings, or the loader, leaves the outbox', async () => {
  const { outbox, connect, last, states } = start()
  await connect()
  outbox.send(draft)
  outbox.send(draft)
  const data = { ...draft, id: 'm1', from: 'ann', number: 1, time: '' }
  last().deliver({ type: 'event', name: 'direct:message', id: 'e1', pos: '000000000000a' as Position, at: '', data })
  expect(states()).toEqual(['m2 sending'])
  outbox.arrived(['m2'])
  expect(states()).toEqual([])
})

test('it holds the latest 300', async () => {
  const { outbox } = start()
  for (let n = 0; n < 301; n++) outbox.send(draft)
  expect(outbox.list()).toHaveLength(300)
  expect(outbox.list()[0]!.id).toBe('m2')
})

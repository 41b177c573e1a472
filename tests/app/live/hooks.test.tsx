// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useLiveMessages, useOutbox, usePresence, useTyping } from '../../../app/live/use-chat.ts'
import { LiveProvider, useConnectionState, useLiveEvent } from '../../../app/live/use-live.tsx'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { EventFrame, ServerFrame } from '../../../realtime/protocol.ts'
import { fakeServer } from './fake-socket.ts'

const at = (n: number) => String(n).padStart(13, '0') as Position
const message = (id: string, pos: number, from = 'bea'): EventFrame => ({
  type: 'event',
  name: 'direct:message',
  id: `e-${id}`,
  pos: at(pos),
  at: '',
  data: { id, roomId: 'ann_bea', from, to: 'ann', number: pos, text: `text of ${id}`, time: '' },
})
const signal = (name: 'presence:online' | 'presence:offline', userId: string): ServerFrame => ({
  type: 'signal',
  name,
  data: { userId },
})

let root: Root
let matches: string[] = []
let actions: { send(text: string): void; typing(on: boolean): void }

function Chat() {
  const state = useConnectionState()
  const { outgoing, send } = useOutbox('ann_bea', [])
  const { otherTypes, typing } = useTyping('ann_bea')
  const online = usePresence(['bea'])
  const messages = useLiveMessages('ann_bea')
  useLiveEvent('match', ({ data }) => matches.push(data.otherUserId))
  actions = { send: (text) => send({ to: 'bea', text }), typing }
  const lines = [...messages, ...outgoing].map(({ text }) => text)
  return <p>{[state, lines.join(','), otherTypes ? 'typing' : '', [...online].join(',')].join('|')}</p>
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  matches = []
  document.body.innerHTML = '<main></main>'
  root = createRoot(document.querySelector('main')!)
})
afterEach(() => {
  act(() => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function page({ member = 'ann' as string | null } = {}) {
  const server = fakeServer()
  const revalidate = vi.fn()
  const show = (pos: number, busy = false) =>
    act(() =>
      root.render(
        <LiveProvider member={member} pos={at(pos)} revalidate={revalidate} busy={busy} open={server.open}>
          <Chat />
        </LiveProvider>,
      ),
    )
  const deliver = (...frames: ServerFrame[]) => act(async () => void server.last().deliver(...frames))
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const connect = async () => {
    act(() => void server.last().open())
    await deliver({ type: 'ready', userId: 'ann', pos: at(5), epoch: 'e' }, { type: 'heartbeat', pos: at(5), now: 0 })
  }
  show(5)
  return { ...server, revalidate, show, deliver, wait, connect, text: () => document.body.textContent }
}

test('a visitor has no connection', () => {
  const { sockets, text } = page({ member: null })
  expect(sockets).toHaveLength(0)
  expect(text()).toBe('idle|||bea')
})

test('an event makes the loaders run again, once for a burst, with the position it was heard at', async () => {
  const { connect, deliver, wait, revalidate } = page()
  await connect()
  await deliver(message('m1', 6), message('m2', 7), message('m3', 8))
  expect(revalidate).not.toHaveBeenCalled()
  await wait(60)
  expect(revalidate).toHaveBeenCalledTimes(1)
  expect(document.cookie).toContain(`__Host-live=${at(8)}`)
  await deliver(message('m4', 9))
  await wait(900)
  expect(revalidate).toHaveBeenCalledTimes(1)
  await wait(200)
  expect(revalidate).toHaveBeenCalledTimes(2)
})

const unread = (pos: number): EventFrame => ({
  type: 'event',
  name: 'unread:changed',
  id: `u-${pos}`,
  pos: at(pos),
  at: '',
  data: { of: 'notifications' },
})

test('what was read in another tab makes the loaders run once, and not where this page shows it already', async () => {
  const { connect, deliver, wait, revalidate, show } = page()
  await connect()
  await deliver(unread(6), unread(7))
  await wait(60)
  expect(revalidate).toHaveBeenCalledTimes(1)
  await deliver(unread(8))
  // It did so itself, by a form.
  show(8)
  await wait(5_000)
  expect(revalidate).toHaveBeenCalledTimes(1)
  await deliver(unread(9), message('m1', 10))
  show(9)
  await wait(60)
  expect(revalidate, 'what came meanwhile is not shown by that').toHaveBeenCalledTimes(2)
})

test('events that come while the loaders run make them run once more', async () => {
  const { connect, deliver, wait, revalidate, show } = page()
  await connect()
  await deliver(message('m1', 6))
  await wait(60)
  show(5, true)
  await deliver(message('m2', 7))
  await wait(1_100)
  expect(revalidate).toHaveBeenCalledTimes(1)
  show(6)
  expect(revalidate).toHaveBeenCalledTimes(2)
})

test('hooks hear of their events, each once', async () => {
  const { connect, deliver, text } = page()
  await connect()
  const match: EventFrame = {
    type: 'event',
    name: 'match',
    id: 'x',
    pos: at(6),
    at: '',
    data: { otherUserId: 'bea', roomId: 'ann_bea' },
  }
  await deliver(match, match, message('m1', 7))
  expect(matches).toEqual(['bea'])
  expect(text()).toBe('live|text of m1||bea')
})

test('the window hears of messages and notifications', async () => {
  const heard = vi.fn()
  window.addEventListener('direct:message', heard)
  const { connect, deliver } = page()
  await connect()
  await deliver(message('m1', 6))
  expect(heard.mock.calls[0]![0].detail).toMatchObject({ id: 'm1' })
})

test('a message shows at once, and gives way to the stored one', async () => {
  const { connect, deliver, text, last } = page()
  await connect()
  act(() => actions.send('Hi'))
  expect(text()).toBe('live|Hi||bea')
  const { id } = last().of('direct:message')[0]!.data as { id: string }
  await deliver(message(id, 6, 'ann'))
  expect(text()).toBe(`live|text of ${id}||bea`)
})

test('typing shows until it ends, and is sent at most every three seconds', async () => {
  const { connect, deliver, wait, text, last } = page()
  await connect()
  await deliver({ type: 'signal', name: 'typing', data: { roomId: 'ann_bea', from: 'bea', on: true } })
  expect(text()).toBe('live||typing|bea')
  await wait(5_000)
  expect(text()).toBe('live|||bea')
  act(() => {
    for (let times = 0; times < 3; times++) actions.typing(true)
  })
  expect(last().of('typing')).toHaveLength(1)
})

test('presence begins with what the loader returned', async () => {
  const { connect, deliver, text } = page()
  await connect()
  await deliver(signal('presence:online', 'cat'), signal('presence:offline', 'bea'))
  expect(text()).toBe('live|||cat')
})

test('a resync reads the loaders, and resumes from the position that they were read at', async () => {
  const { connect, deliver, revalidate, show, last, wait } = page()
  await connect()
  await deliver({ type: 'resync', reason: 'gap' })
  expect(revalidate).toHaveBeenCalledTimes(1)
  show(5, true)
  show(70)
  await wait(0)
  expect(last().of('resume')).toEqual([{ type: 'resume', last: at(70), epoch: 'e' }])
})

test('a page that leaves closes its socket', async () => {
  const { connect, sockets } = page()
  await connect()
  act(() => root.render(null))
  expect(sockets[0]!.readyState).toBe(3)
})

test('once the session is over the page is read anew, and again until it leads elsewhere', async () => {
  const { connect, revalidate, last, show, wait } = page()
  await connect()
  window.history.replaceState(null, '', '/discover')
  act(() => last().end(4401))
  expect(revalidate).toHaveBeenCalledTimes(1)
  show(5, true)
  show(5)
  await wait(1_000)
  expect(revalidate).toHaveBeenCalledTimes(2)
  window.history.replaceState(null, '', '/login')
  await wait(60_000)
  expect(revalidate).toHaveBeenCalledTimes(2)
})

test('a page whose frame shows nobody any more is read until it leads elsewhere, or five times more', async () => {
  const { connect, revalidate, last, wait } = page()
  await connect()
  act(() => last().end(4401))
  act(() => root.render(null))
  await wait(3_000)
  expect(revalidate).toHaveBeenCalledTimes(3)
  await wait(60_000)
  expect(revalidate).toHaveBeenCalledTimes(6)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Authenticate } from '../../../realtime/deps.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { CloseCode } from '../../../realtime/protocol.ts'
import { until } from '../../support/until.ts'
import { member, sessionOf, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const ann = member('Ann a')
const identity = { member: ann, session: sessionOf(ann) }
const token = `${ann}.${sessionOf(ann)}`
const lookingUp = (look: () => Promise<typeof identity | null>): Authenticate => ({
  waitOf: async () => null,
  flooded: async () => undefined,
  cookie: look,
  token: look,
})
const away = () => Promise.reject(new Error('away'))
const never = () => new Promise<never>(() => undefined)

const ways = { 'a token': [{}, { token }], 'a cookie': [{ cookie: `session=${token}` }, {}] } as const
test.each(Object.entries(ways))(
  '%s that cannot be looked up is asked to come again',
  async (_way, [headers, shown]) => {
    const node = await world.node({ authenticate: lookingUp(away) })
    const peer = await world.socket(node, headers)
    peer.send({ type: 'auth', ...shown })
    expect(await peer.closed).toBe(CloseCode.drain)
    expect(peer.frames).toEqual([{ type: 'bye', retryInMs: 2_000 }])
  },
)

test('a look-up that never ends is given up, and asked to come again', async () => {
  const node = await world.node({ authenticate: lookingUp(never), limits: { authMs: 50, rightsWithinMs: 300 } })
  const peer = await world.socket(node)
  peer.send({ type: 'auth', token })
  expect(await peer.closed).toBe(CloseCode.drain)
})

test('a look-up may take longer than the frame: a right token comes in, and a wrong one does not', async () => {
  let [answers, found] = [() => {}, null as typeof identity | null]
  const late = new Promise<void>((resolve) => {
    answers = resolve
  })
  const authenticate = lookingUp(() => late.then(() => found))
  const node = await world.node({ authenticate, limits: { authMs: 100 } })
  const silent = await world.socket(node)
  const peer = await world.socket(node)
  peer.send({ type: 'auth', token })
  expect(await silent.closed).toBe(CloseCode.signedOut)
  const after = await world.socket(node)
  expect(await after.closed).toBe(CloseCode.signedOut)
  found = identity
  answers()
  expect((await peer.next('ready')).userId).toBe(ann)
  found = null
  const nobody = await world.socket(node)
  nobody.send({ type: 'auth', token })
  expect(await nobody.closed).toBe(CloseCode.signedOut)
})

test('bad frames put nothing off', async () => {
  const node = await world.node({ limits: { authMs: 200 } })
  const peer = await world.socket(node)
  peer.send('no frame')
  expect(await peer.closed).toBe(CloseCode.signedOut)
})

test('a socket that cannot begin because the log is away is asked to come again', async () => {
  const source = createLogSource(world.log)
  let asked = 0
  const node = await world.node({ source: { ...source, head: () => (asked++ ? away() : source.head()) } })
  const peer = await world.socket(node)
  peer.send({ type: 'auth', token, last: '9999999999999', epoch: 'any' })
  expect(await peer.closed).toBe(CloseCode.drain)
  await until('it is closed', () => node.realtime.stats().sockets === 0)
})

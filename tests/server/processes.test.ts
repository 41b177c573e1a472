import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { CloseCode } from '../../realtime/protocol.ts'
import { freePort, type Program, startProgram } from '../drills/program-child.ts'
import { Peer } from '../realtime/peer.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { environmentOf, startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

/** `one` is the whole product; `other` has everything but the log; `pages` serves pages and has no sockets, `sockets` the other way round. */
let one: World
let other: Program
let pages: Program
let sockets: Program
const peers: Peer[] = []

const folders: string[] = []
beforeAll(async () => {
  one = await startWorld()
  const start = async (roles: string) => {
    const env = { ...environmentOf(one), ROLES: roles }
    const dataDir = makeTempDir('letsbuzz-process-')
    folders.push(dataDir)
    return startProgram({ dataDir, port: await freePort(), env })
  }
  ;[other, pages, sockets] = await Promise.all([
    start('web,realtime,projector,reactors'),
    start('web'),
    start('realtime'),
  ])
})
afterAll(async () => {
  for (const peer of peers) peer.ws.terminate()
  await Promise.all([other, pages, sockets].map((program) => program?.stop()))
  await one?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A member's socket at a process. */
async function socket(url: string, { token }: Person): Promise<Peer> {
  const { port } = new URL(url)
  const peer = new Peer(Number(port), { origin: `http://127.0.0.1:${port}` })
  peers.push(peer)
  await peer.opened
  peer.send({ type: 'auth', token })
  await peer.next('ready')
  return peer
}

const call = (url: string, path: string, { token }: Person, method = 'GET', body?: object) =>
  fetch(`${url}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

/** Which of their matches the pages of a process show as online. */
async function onlineAt(url: string, who: Person): Promise<string[]> {
  const { matches } = (await (await call(url, '/matches', who)).json()) as {
    matches: { id: string; online: boolean }[]
  }
  return matches.filter(({ online }) => online).map(({ id }) => id)
}
const heard = (peer: Peer, name: string, userId: string) =>
  peer.frames.some(
    (frame) => frame.type === 'signal' && frame.name === name && 'userId' in frame.data && frame.data.userId === userId,
  )

async function matched(...names: [string, string]): Promise<[Person, Person]> {
  const [a, b] = [await one.member(names[0]), await one.member(names[1])]
  await one.match(a, b)
  await one.settled()
  return [a, b]
}

test('who has a socket at any process is online in the sockets of the others and in the pages of all', async () => {
  const [ann, bea] = await matched('Ann', 'Bea')
  const [a, b] = [await socket(one.url, ann), await socket(other.url, bea)]
  await until('Ann hears of Bea', () => heard(a, 'presence:online', bea.id))
  await until('Bea hears of Ann', () => heard(b, 'presence:online', ann.id))
  for (const url of [one.url, other.url, pages.url]) {
    await until(`${url} shows Bea`, async () => (await onlineAt(url, ann)).includes(bea.id))
  }
  b.ws.close()
  await until('Ann hears that Bea left', () => heard(a, 'presence:offline', bea.id))
  for (const url of [one.url, other.url, pages.url]) {
    await until(`${url} shows nobody`, async () => (await onlineAt(url, ann)).length === 0)
  }
})

test('a session that ends at a process without sockets closes its sockets at all others', async () => {
  const cat = await one.member('Cat')
  const both = [await socket(one.url, cat), await socket(other.url, cat)]
  expect((await call(pages.url, '/auth/logout', cat, 'POST')).status).toBe(200)
  for (const { closed } of both) expect(await closed).toBe(CloseCode.signedOut)
  expect((await call(other.url, '/users/me', cat)).status).toBe(401)
})

test('a block closes the room on both sides, at whichever process they sit', async () => {
  const [dan, eve] = await matched('Dan', 'Eve')
  const roomId = pairIdOf(dan.id, eve.id)
  const both = [await socket(one.url, dan), await socket(other.url, eve)]
  for (const peer of both) {
    peer.send({ type: 'joinRoom', id: 'j', data: { roomId } })
    await peer.next('ack')
  }
  const blocked = await call(pages.url, '/block', dan, 'POST', { targetId: eve.id })
  expect(blocked.status).toBe(200)
  for (const peer of both) expect((await peer.event('room:closed')).data).toMatchObject({ roomId })
})

test('a process without pages serves its sockets and its health, and nothing else', async () => {
  const fay = await one.member('Fay')
  const peer = await socket(sockets.url, fay)
  expect(peer.frames[0]).toMatchObject({ type: 'ready' })
  const health = (await (await fetch(`${sockets.url}/readyz`)).json()) as { roles: { role: string }[] }
  expect(health.roles.map(({ role }) => role)).toEqual(['postgres', 'log', 'realtime'])
  for (const path of ['/', '/discover', '/api/users/me', '/dev/mailbox'])
    expect((await fetch(`${sockets.url}${path}`)).status).toBe(404)
})

test('a signal sends sockets away, and the process ends well within its time', async () => {
  const gus = await one.member('Gus')
  const peer = await socket(other.url, gus)
  await other.stop()
  expect(peer.frames.at(-1)).toMatchObject({ type: 'bye' })
  expect(await peer.closed).toBe(CloseCode.drain)
  expect((await other.ended).code).toBe(0)
})

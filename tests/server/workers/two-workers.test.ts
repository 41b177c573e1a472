import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { POSITION_HEADER } from '../../../app/api/repeat.server.ts'
import { pairIdOf } from '../../../domain/shared/ids.ts'
import { CloseCode } from '../../../realtime/protocol.ts'
import { isAlive } from '../../../server/embedded/lifecycle/process-identity.ts'
import { RATES } from '../../../services/limits/rates.ts'
import { workersOf } from '../../drills/footprint.ts'
import { descendantsOf, freePort, type Program, startProgram } from '../../drills/program-child.ts'
import { type Caller, PASSWORD, signUp } from '../../drills/program-people.ts'
import type { Peer } from '../../realtime/peer.ts'
import { layCluster } from '../../support/cluster.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { connectionTo, type Kept, peerAt, statusOfNew } from './at-worker.ts'

let program: Program
let port: number
let workers: number[]
/** A connection to each worker. */
let one: Kept
let two: Kept
let ann: Caller
let bea: Caller
const dataDir = makeTempDir('letsbuzz-workers-')
const peers: Peer[] = []
const emailOf = (name: string) => `${name}@example.com`

beforeAll(async () => {
  port = await freePort()
  const env = { WEB_WORKERS: '2', RATE_LIMITS: 'on', TRUST_PROXY: '1', LOG_LEVEL: 'error' }
  await layCluster(join(dataDir, 'postgres'))
  program = await startProgram({ dataDir, port, env })
  workers = workersOf(program.pid)
  const [first = 0, second = 0] = workers
  one = await connectionTo(port, first, workers)
  two = await connectionTo(port, second, workers)
  ann = await signUp(program.url, emailOf('ann'))
  bea = await signUp(program.url, emailOf('bea'))
  expect((await one.ask('/api/likes', { ...as(ann), body: { to: bea.id } })).status).toBe(200)
  expect((await two.ask('/api/likes', { ...as(bea), body: { to: ann.id } })).status).toBe(200)
})
afterAll(async () => {
  for (const peer of peers) peer.ws.terminate()
  one?.close()
  two?.close()
  await program?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const as = ({ token }: Caller) => ({ method: 'POST', headers: { Authorization: `Bearer ${token}` } })
const reading = ({ token }: Caller, position?: string) => ({
  headers: { Authorization: `Bearer ${token}`, ...(position && { [POSITION_HEADER]: position }) },
})

async function socket(worker: number, { token }: Caller): Promise<Peer> {
  const peer = await peerAt(port, worker, workers, token)
  peers.push(peer)
  return peer
}

const heard = (peer: Peer, name: string, userId: string) =>
  peer.frames.some(
    (frame) => frame.type === 'signal' && frame.name === name && 'userId' in frame.data && frame.data.userId === userId,
  )

test('both workers answer pages, and each names every role of the product', async () => {
  expect(workers).toHaveLength(2)
  for (const { ask } of [one, two]) {
    expect((await ask('/')).status).toBe(200)
    const { ready, roles } = JSON.parse((await ask('/readyz')).text)
    expect(ready).toBe(true)
    const named = roles.map(({ role }: { role: string }) => role)
    expect(named.sort()).toEqual(['log', 'postgres', 'projector', 'realtime', 'web', 'workers'])
  }
})

test('whoever signed up or logs in at one worker is known to the other at once', async () => {
  const email = emailOf('ann')
  const signedIn = await one.ask('/api/auth/login', { method: 'POST', body: { email, password: PASSWORD } })
  expect(signedIn.status).toBe(200)
  const { token } = JSON.parse(signedIn.text)
  const me = await two.ask('/api/users/me', reading({ id: ann.id, token }))
  expect([me.status, JSON.parse(me.text).id]).toEqual([200, ann.id])
})

/** Enough that a read which waits for nothing misses one of them. */
const WRITES = 20

test('what one worker has written, the very next read at the other shows', async () => {
  for (let n = 0; n < WRITES; n++) {
    const [writes, reads] = n % 2 ? [one, two] : [two, one]
    const bio = `Bio number ${n}`
    const written = await writes.ask('/api/users/me', { ...as(ann), method: 'PUT', body: { bio } })
    expect(written.status).toBe(200)
    const me = await reads.ask('/api/users/me', reading(ann, String(written.headers[POSITION_HEADER.toLowerCase()])))
    expect(JSON.parse(me.text).bio).toBe(bio)
  }
})

test('two members at different workers see each other online and chat', async () => {
  const [a, b] = [await socket(one.worker, ann), await socket(two.worker, bea)]
  await until('Ann hears of Bea', () => heard(a, 'presence:online', bea.id))
  await until('Bea hears of Ann', () => heard(b, 'presence:online', ann.id))
  const roomId = pairIdOf(ann.id as never, bea.id as never)
  for (const peer of [a, b]) peer.send({ type: 'joinRoom', id: 'j', data: { roomId } })
  await Promise.all([a.next('ack'), b.next('ack')])
  a.send({ type: 'typing', data: { roomId, on: true } })
  await until('Bea sees Ann typing', () => b.frames.some((frame) => frame.type === 'signal' && frame.name === 'typing'))
  a.send({ type: 'direct:message', id: 'm', data: { to: bea.id, id: 'first', roomId, text: 'Hello' } })
  expect((await b.event('direct:message')).data).toMatchObject({ from: ann.id, text: 'Hello' })
  b.ws.close()
  await until('Ann hears that Bea left', () => heard(a, 'presence:offline', bea.id))
})

test('a session that ends at one worker closes its socket at the other within a second', async () => {
  const email = emailOf('bea')
  const login = await one.ask('/api/auth/login', { method: 'POST', body: { email, password: PASSWORD } })
  const session: Caller = { id: bea.id, token: JSON.parse(login.text).token }
  const peer = await socket(two.worker, session)
  expect((await one.ask('/api/auth/logout', as(session))).status).toBe(200)
  const endedAt = performance.now()
  expect(await peer.closed).toBe(CloseCode.signedOut)
  expect(performance.now() - endedAt).toBeLessThan(1_000)
})

test('of more than ten sockets of a member over both workers the oldest is closed', async () => {
  const all: Peer[] = []
  const open = async (worker: number, count: number) => {
    for (let n = 0; n < count; n++) all.push(await socket(worker, bea))
  }
  await open(one.worker, 5)
  await open(two.worker, 7)
  expect(await all[0]!.closed).toBe(CloseCode.tooManySockets)
  expect(await all[1]!.closed).toBe(CloseCode.tooManySockets)
  await all.at(-1)!.settled()
  expect(all.filter(({ ws }) => ws.readyState === ws.OPEN)).toHaveLength(10)
  for (const { ws } of all) ws.close()
})

test('what one address may ask for holds over both workers', async () => {
  const { points } = RATES.ANONYMOUS.windows[0]
  const stranger = { headers: { 'X-Forwarded-For': '192.0.2.7' } }
  const statuses: number[] = []
  for (let n = 0; n < points / 2 + 5; n++) {
    const both = await Promise.all([one, two].map(({ ask }) => ask('/api/openapi-is-no-call', stranger)))
    statuses.push(...both.map(({ status }) => status))
  }
  expect(statuses.filter((status) => status !== 429)).toHaveLength(points)
  expect((await two.ask('/', { headers: { 'X-Forwarded-For': '192.0.2.8' } })).status).toBe(200)
})

test('a worker that is killed is started again, and nothing acknowledged is lost; the other notices nothing', async () => {
  const peer = await socket(two.worker, ann)
  const written = await one.ask('/api/users/me', { ...as(ann), method: 'PUT', body: { bio: 'Acknowledged' } })
  expect(written.status).toBe(200)
  process.kill(one.worker, 'SIGKILL')
  expect(JSON.parse((await two.ask('/api/users/me', reading(ann))).text).bio).toBe('Acknowledged')
  await until('another worker is there', () => {
    const [fresh] = workersOf(program.pid).filter((pid) => !workers.includes(pid))
    if (fresh) workers = [two.worker, fresh]
    return fresh
  })
  const answers: number[] = []
  await until(
    'it answers',
    async () => {
      answers.push(await statusOfNew(port))
      one = await connectionTo(port, workers[1]!, workers).catch(() => one)
      return one.worker === workers[1]
    },
    60_000,
  )
  expect(JSON.parse((await one.ask('/api/users/me', reading(ann))).text).bio).toBe('Acknowledged')
  expect(answers.filter((status) => status !== 200)).toEqual([])
  await peer.settled()
})

test('a SIGTERM sends sockets away with a word, and leaves nothing of the product', async () => {
  const both = [await socket(one.worker, ann), await socket(two.worker, bea)]
  const below = descendantsOf(program.pid)
  expect(below.length).toBeGreaterThan(4)
  await program.stop()
  for (const peer of both) {
    expect(await peer.closed).toBe(CloseCode.drain)
    expect(peer.frames.at(-1)).toMatchObject({ type: 'bye' })
  }
  expect((await program.ended).code).toBe(0)
  expect(below.filter(isAlive)).toEqual([])
})

test('when the process above them is killed, no worker, no log and no Postgres is left', async () => {
  program = await startProgram({ dataDir, port, env: { WEB_WORKERS: '2' } })
  const below = descendantsOf(program.pid)
  expect(below.filter((pid) => workersOf(program.pid).includes(pid))).toHaveLength(2)
  await program.kill('parent')
  await until('all are gone', () => below.every((pid) => !isAlive(pid)), 20_000)
})

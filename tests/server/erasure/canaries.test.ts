import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { START } from '../../../domain/shared/recorded.ts'
import { createCodec } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { listMessages } from '../../../projections/conversations/queries.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { createReclaiming } from '../../../server/tools/erasure/reclaim.ts'
import { createLogger } from '../../../services/log.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { Peer } from '../../realtime/peer.ts'
import { serveWeb } from '../../support/described/serve-web.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { unzip } from '../export/archive.ts'
import { createCanaries, fillEverything, reportThem } from './canaries.ts'
import { dumpOf, endWal, filesBelow, filesOf, findIn, samplesOf } from './places.ts'

const lines: Buffer[] = []
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(Buffer.from(chunk))
    done()
  },
})
const logger = createLogger({ level: 'debug', destination })
const canaries = createCanaries()
let world: World
let http: HttpServer
let ann: Person
let bea: Person
let eve: Person
const pictures: string[] = []
/** Bea's copy of her data from before the erasure. */
let before = ''

beforeAll(async () => {
  world = await startWorld({ web: false, logger, fresh: true })
  const { product, publicUrl } = world
  // Sockets alone: a port without pages needs no build.
  const config = { ...world.config, roles: new Set(['realtime'] as const) }
  http = await serveWeb({ product, config, port: world.config.port, publicUrl, now: () => new Date(), logger })
  bea = await world.member('Bea')
  eve = await world.member('Eve')
  ann = await fillEverything(world, bea, canaries)
  await world.match(bea, eve)
  await world.settled()
  await world.sendMessage(bea, ann, 'Hello back')
  await reportThem(world, bea, ann.id)
  keyedHash = world.services.credentials.emailKey(ann.email)
  before = (await world.services.exports.ask(bea.id)).id
  await until('the export', async () => (await world.services.exports.find(bea.id, before))?.state === 'ready', 30_000)
  pictures.push(...(await world.services.media.list({ member: ann.id })).map(({ id }) => id))
})
afterAll(async () => {
  await http.close()
  await world.stop()
})

/** The only word of a row that follows from her address and not from what she wrote. */
let keyedHash = ''
/** Everything of the two databases, by table. */
const dump = async () => new Map([...(await dumpOf(world.stores.database)), ...(await dumpOf(world.logDatabase))])

async function socketOf(who: Person, last?: string): Promise<Peer> {
  const headers = { host: new URL(world.publicUrl).host }
  const peer = new Peer(world.config.port, { origin: world.publicUrl, headers })
  await peer.opened
  peer.send({ type: 'auth', token: who.token, ...(last !== undefined && { last }) })
  await peer.next('ready')
  return peer
}

async function unzipped(who: Person, id: string): Promise<Map<string, Buffer>> {
  const opened = await world.services.exports.open(who.id, id)
  return unzip(Buffer.from(await new Response(opened!.body).arrayBuffer()))
}

/** Everything that is replayed to a client that was away as long as possible. */
async function frames(who: Person): Promise<Buffer> {
  const peer = await socketOf(who, START)
  await peer.settled()
  peer.ws.terminate()
  return Buffer.from(JSON.stringify(peer.frames))
}

/** The whole log as a process reads it that has no key yet; cases keep what the screen showed, and others' their words. */
async function readable(): Promise<Buffer> {
  const { log, storage } = world.core
  const codec = createCodec(createKeyRing(storage.pool, world.secrets.masterKey))
  const events = await codec.decode(await log.readAll(START, 5_000))
  const own = events.filter((event) => event.type !== 'MemberReported' || event.by === ann.id)
  return Buffer.from(JSON.stringify(own.map((event) => ('evidence' in event ? { ...event, evidence: null } : event))))
}

test('before, the canaries stand where members and the product put them', async () => {
  expect(canaries.words().length).toBeGreaterThanOrEqual(40)
  const words = canaries.words()
  const tables = new Set(findIn(await dump(), words).map((found) => found.split(':')[0]))
  expect(tables.size).toBeGreaterThan(4)
  expect(findIn(new Map([['log', await readable()]]), words).length).toBeGreaterThan(30)
  expect(pictures).toHaveLength(3)
  expect(findIn(await unzipped(bea, before), words).length).toBeGreaterThan(3)
})

test('no sample that Postgres takes of values has one of them, her key or her address, which nothing would take out of it', async () => {
  const { rows } = await world.core.storage.pool.query<{ key: string }>(
    `select encode(wrapped, 'hex') as key from app.subject_key where subject = $1`,
    [ann.id],
  )
  const own = [rows[0]!.key, keyedHash]
  const samples = new Map([...(await samplesOf(world.stores.database)), ...(await samplesOf(world.logDatabase))])
  expect(samples.size).toBeGreaterThan(50)
  expect(findIn(samples, [...canaries.words(), ...own])).toEqual([])
})

test('the key is gone within 5 s, the files within 60 s, and nobody else’s socket breaks', async () => {
  const peer = await socketOf(bea)
  const startedAt = performance.now()
  const erased = eraseAccount(erasingOf({ ...world.product, now: () => new Date() }, ann.id), ann.id)
  const key = () => world.core.storage.pool.query('select from app.destroyed_key where subject = $1', [ann.id])
  await until('the key is destroyed', async () => (await key()).rowCount === 1, 5_000)
  const keyGoneMs = performance.now() - startedAt
  expect(await erased).toMatchObject({ ok: true })
  const files = await filesBelow(`${world.dataDir}/media`)
  expect([...files.keys()].filter((path) => pictures.some((id) => path.endsWith(id)))).toEqual([])
  const filesGoneMs = performance.now() - startedAt
  expect(keyGoneMs).toBeLessThan(5_000)
  expect(filesGoneMs).toBeLessThan(60_000)
  process.stdout.write(`key gone in ${Math.round(keyGoneMs)} ms, files and all in ${Math.round(filesGoneMs)} ms\n`)
  await world.settled()
  await peer.settled()
  expect(findIn(new Map([['frames', Buffer.from(JSON.stringify(peer.frames))]]), canaries.words())).toEqual([])
  peer.ws.terminate()
})

test('no table of rows or of the log gives one of them to COPY', async () => {
  expect(findIn(await dump(), [...canaries.words(), keyedHash])).toEqual([])
})

test('no file that Postgres writes ahead has one after a checkpoint', async () => {
  const files = await filesBelow(await endWal(world.stores.database))
  expect(files.size).toBeGreaterThan(0)
  expect(findIn(files, canaries.words())).toEqual([])
})

test('in the night the free space inside the files of tables is cleared of them too, and the log says so', async () => {
  const { pool } = world.core.storage
  const files = async () => {
    await pool.query('checkpoint')
    return new Map([...(await filesOf(world.stores.database)), ...(await filesOf(world.logDatabase))])
  }
  expect(findIn(await files(), canaries.words()).length).toBeGreaterThan(5)
  const night = new Date()
  night.setHours(3, 0, 0, 0)
  const reclaiming = createReclaiming({ pool, now: () => night, logger })
  // A table that is in use is left for a later round of the night.
  const left = async () => {
    await reclaiming.sweep()
    return findIn(await files(), canaries.words())
  }
  await expect.poll(left, { timeout: 60_000 }).toEqual([])
  expect(Buffer.concat(lines).toString()).toMatch(/"kind":"reclaim".*made anew/)
})

test('no file of the data folder has one, nor a line of the program’s log, nor a frame to another', async () => {
  const places = await filesBelow(world.dataDir)
  places.set('lines', Buffer.concat(lines))
  places.set('frames to Bea', await frames(bea))
  places.set('frames to Eve', await frames(eve))
  expect(Buffer.concat(lines).length).toBeGreaterThan(0)
  expect(findIn(places, canaries.words())).toEqual([])
})

test('nothing can be read out of the log, by whoever exports or rebuilds', async () => {
  expect(findIn(new Map([['log', await readable()]]), canaries.words())).toEqual([])
  const { log, codec, keys, storage } = world.core
  for (const projection of allProjections) {
    const deps = { log, codec, keys, pool: storage.pool, signal: new AbortController().signal }
    await rebuild(deps, projection)
  }
  await world.settled()
  expect(await compareWithTables(storage.pool, allProjections, await foldOfLog(log, codec, allProjections))).toEqual([])
  expect(findIn(await dump(), canaries.words())).toEqual([])
})

test('others keep what is theirs, and see "Deleted member"', async () => {
  const kept = await listMessages(world.read, bea.id, ann.id)
  expect(kept?.messages.map(({ text }) => text).filter(Boolean)).toEqual(['Hello back'])
  const rooms = await world.read.selectFrom('conversation').selectAll().where('member', '=', bea.id).execute()
  expect(new Map(rooms.map(({ other, open, gone }) => [other, [open, gone]]))).toEqual(
    new Map([
      [ann.id, [false, true]],
      [eve.id, [true, false]],
    ]),
  )
  const left = await world.read
    .selectFrom('notification')
    .select('from_member')
    .where('recipient', '=', bea.id)
    .execute()
  expect(left.map(({ from_member }) => from_member)).toEqual([eve.id])
})

test('what others asked a copy of is made anew without them', async () => {
  const current = await until('the copy is there', async () => {
    const found = await world.services.exports.findLatest(bea.id)
    return found?.state === 'ready' ? found : null
  })
  expect(current.id).not.toBe(before)
  expect(await world.services.exports.find(bea.id, before)).toBeNull()
  const files = await unzipped(bea, current.id)
  expect(findIn(files, canaries.words())).toEqual([])
  expect([...files.values()].join('\n')).toContain('Hello back')
})

test('the certificate says what was looked at, and holds nothing of the member', async () => {
  const events = await world.core.codec.decode(await world.core.log.read(`member-${ann.id}`))
  const last = events[events.length - 1]
  expect(last).toMatchObject({ type: 'ErasureCertified', member: ann.id, places: expect.any(Number) })
  expect(events.filter(({ type }) => type === 'ErasureCertified')).toHaveLength(1)
})

test('the address is somebody new; old token, picture and link open nothing', async () => {
  const again = await world.member('Anna', { email: ann.email })
  expect(again.id).not.toBe(ann.id)
  expect(await world.services.sessions.find(ann.token)).toBeNull()
  for (const id of pictures) expect(await world.services.media.open(id)).toMatchObject({ ok: false })
  const rows = await world.read.selectFrom('relation').selectAll().where('member', '=', again.id).execute()
  expect(rows).toEqual([])
  const rooms = await world.read.selectFrom('conversation').selectAll().where('member', '=', again.id).execute()
  expect(rooms).toEqual([])
})

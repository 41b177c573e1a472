import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { admitKeys, announcementOf, masterKeyId } from '../../../server/keys/master-keys.ts'
import { shareProcessLock } from '../../../server/process-lock.ts'
import { rotateMasterKey } from '../../../server/tools/keys/rotate.ts'
import { openAppDb } from '../../../services/app-db.ts'
import { createIdempotency } from '../../../services/idempotency.ts'
import { createLimits } from '../../../services/limits/limits.ts'
import { paperBox } from '../../../services/media/media.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { createPositions } from '../../../services/nearby/positions.ts'
import { createGridOffsets, gridKeyOf } from '../../../services/nearby/publication.ts'
import { randomId } from '../../../services/random-id.ts'
import { createSignupProofs } from '../../../services/signup-proofs.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { until } from '../../support/until.ts'
import { rotateAndDie } from './rotate-child.ts'

const MANY = 3_000
const BATCH = 25
/** Some batches of them. */
const FEW = 4 * BATCH
const now = () => new Date()
const opened: { database: FreshDatabase; pool: pg.Pool }[] = []
afterAll(async () => {
  for (const { database, pool } of opened) {
    await pool.end()
    await database.drop()
  }
})

async function product(count: number) {
  const database = await freshDatabase({ template: appTemplate })
  const pool = new pg.Pool(database.config)
  pool.on('error', () => undefined)
  opened.push({ database, pool })
  const [before, next] = [randomBytes(32), randomBytes(32)]
  const media = join(tempDir(), 'media')
  const store = createFileStore(media, { own: 'own', isLeft: () => false })
  await admitKeys(pool, { masterKey: before })
  const old = createKeyRing(pool, before)
  const members = Array.from({ length: count }, (_, index) => `m${String(index).padStart(5, '0')}`)
  const sealed = await old.ensure(members, (keys) =>
    members.map((one) => keys.encrypt(one, 'name', `${one}'s own words`)),
  )
  const rotate = (more: Partial<Parameters<typeof rotateMasterKey>[0]> = {}) =>
    rotateMasterKey({ pool, keys: [next, before], store, batch: BATCH, ...more })
  return { database, pool, before, next, old, members, sealed, media, store, rotate }
}
type Product = Awaited<ReturnType<typeof product>>

/** How many of the members' words are read by a ring that has only this key; the rest throws. */
async function readable({ pool, members, sealed }: Product, key: Buffer, which = members): Promise<string[]> {
  const ring = createKeyRing(pool, key)
  return ring.load(which, (keys) =>
    which.map((one) => keys.decrypt(one, 'name', sealed[members.indexOf(one)]!) ?? 'gone'),
  )
}

test('thousands of wraps change their key in batches, are read all the while, and the old one is retired', async () => {
  const p = await product(MANY)
  const both = createKeyRing(p.pool, [p.next, p.before], 1)
  const seen: string[] = []
  const reading: Promise<unknown>[] = []
  const rotated = await p.rotate({
    at: () => {
      const one = p.members[seen.length % MANY]!
      reading.push(both.load([one], (keys) => seen.push(keys.decrypt(one, 'name', p.sealed[p.members.indexOf(one)]!)!)))
    },
  })
  expect(rotated).toMatchObject({ unreadable: [], retired: [masterKeyId(p.before)] })
  expect(rotated.sealed).toBe(MANY + 1)
  await Promise.all(reading)
  expect(seen.length).toBeGreaterThan(100)
  expect(await readable(p, p.next)).toEqual(p.members.map((one) => `${one}'s own words`))
  await expect(readable(p, p.before)).rejects.toThrow()
})

test('a second run finds nothing to do', async () => {
  const p = await product(FEW)
  await p.rotate()
  expect(await p.rotate()).toMatchObject({ sealed: 0, unreadable: [], retired: [masterKeyId(p.before)] })
})

test('a rotation that is killed between two batches is taken up where it was', async () => {
  const p = await product(MANY)
  for (const dieAfter of [3, 60]) {
    const child = { database: p.database.config, keys: [p.next, p.before] as const, media: p.media, batch: BATCH }
    expect(await rotateAndDie({ ...child, dieAfter })).toBe('SIGKILL')
  }
  const rotated = await p.rotate()
  expect(rotated.sealed).toBeGreaterThan(MANY - 70 * BATCH)
  expect(rotated.sealed).toBeLessThan(MANY - 50 * BATCH)
  expect(await readable(p, p.next)).toHaveLength(MANY)
})

test('who is erased while it runs stays erased, and who registers is under the new key', async () => {
  const p = await product(10 * BATCH)
  const { pool, members } = p
  const serving = createKeyRing(pool, [p.next, p.before])
  const work: Promise<unknown>[] = []
  const erased = members.filter((_, index) => index % 50 === 7)
  const joined: string[] = []
  const left = [...erased]
  await p.rotate({
    at: () => {
      const one = left.pop()
      if (one) work.push(serving.destroy(one))
      const newcomer = `n${String(joined.length).padStart(5, '0')}`
      joined.push(newcomer)
      work.push(serving.ensure([newcomer], (keys) => keys.encrypt(newcomer, 'name', 'x')))
    },
  })
  await Promise.all(work)
  expect(left).toEqual([])
  const { rows } = await pool.query(`select subject from app.subject_key where wrapped = '' order by subject`)
  expect(rows.map(({ subject }) => subject)).toEqual(erased)
  expect(await readable(p, p.next, erased)).toEqual(erased.map(() => 'gone'))
  const ring = createKeyRing(pool, p.next)
  const prints = await ring.load(joined, (keys) => joined.map((one) => keys.keyedHash(one, 'text')))
  expect(prints.filter((print) => print === undefined)).toEqual([])
})

test('an erasure at the very moment that its wrap is read wins', async () => {
  const p = await product(FEW)
  const [one] = p.members
  const eraser = new pg.Client(p.database.config)
  await eraser.connect()
  await eraser.query('begin')
  await eraser.query(`update app.subject_key set wrapped = '' where subject = $1`, [one])
  const rotating = p.rotate()
  await until('the rotation waits', async () => {
    const { rowCount } = await p.database.run(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === 1
  })
  await eraser.query('commit')
  await eraser.end()
  expect(await rotating).toMatchObject({ unreadable: [] })
  expect(await readable(p, p.next, [one!])).toEqual(['gone'])
})

test('a wrap that nothing opens is reported and stops neither the others nor its own repair', async () => {
  const p = await product(FEW)
  const damaged = p.members[34]!
  await p.pool.query(
    'update app.subject_key set wrapped = set_byte(wrapped, 40, get_byte(wrapped, 40) # 1) where subject = $1',
    [damaged],
  )
  const rotated = await p.rotate()
  expect(rotated).toMatchObject({ sealed: FEW, unreadable: [`subject_key ${damaged}`], retired: [] })
  const sound = p.members.filter((one) => one !== damaged)
  expect(await readable(p, p.next, sound)).toHaveLength(FEW - 1)
  expect(await p.rotate({ despiteUnreadable: true })).toMatchObject({ retired: [masterKeyId(p.before)] })
})

test('everything else that the master key seals comes along: places, drafts, papers, answers, the grid', async () => {
  const p = await product(FEW)
  const { pool, before, next, store } = p
  const db = openAppDb(p.database.config)
  const ann = randomId() as MemberId
  const gridKey = gridKeyOf(before)
  const limits = createLimits({ db, off: true })
  const served = (masterKey: Buffer) => ({
    positions: createPositions({ db, now, masterKey, gridKey, limits, off: true }),
    proofs: createSignupProofs({ db, now, masterKey }),
    answers: createIdempotency({ db, now, masterKey, epoch: async () => 'log' }),
  })
  const [then, later] = [served(before), served(next)]
  await then.positions.accept(ann, { lat: 48.2, lng: 16.37 })
  const { token } = await then.proofs.issue({ email: 'ann@example.com', emailKey: 'k' })
  await then.proofs.changeDraft(token, () => ({ firstName: 'Ann' }))
  const request = { member: ann, route: '/x', key: randomUUID(), request: 'r' }
  const claim = await then.answers.claim(request)
  if (claim.state !== 'first') expect.unreachable(claim.state)
  await then.answers.keep(claim.claimed, { status: 200, body: '{}' })
  const paper = randomId()
  await store.write(paper, paperBox(before).seal(paper, Buffer.from('passport')))
  await pool.query(
    `insert into app.media (id, owner, purpose, kind, mime, bytes, created_at) values ($1, $2, 'kyc-id', 'image', 'image/webp', 8, now())`,
    [paper, ann],
  )
  await p.rotate()
  expect(await later.positions.findRaw(ann)).toMatchObject({ lat: 48.2, lng: 16.37 })
  expect(await later.proofs.find(token)).toMatchObject({ email: 'ann@example.com', draft: { firstName: 'Ann' } })
  expect(await later.answers.claim(request)).toMatchObject({ state: 'first' })
  expect(
    paperBox(next)
      .open(paper, await store.read(paper))
      .toString(),
  ).toBe('passport')
  const kept = await admitKeys(pool, { masterKey: next })
  expect(createGridOffsets(kept)(ann)).toEqual(createGridOffsets(gridKey)(ann))
  await db.destroy()
})

test('a key that others cannot read is not sealed with, and one that others seal with is not taken out of use', async () => {
  const p = await product(FEW)
  const { pool, before, next, database } = p
  const alone = await shareProcessLock(database.config, { name: announcementOf([before]) })
  await expect(admitKeys(pool, { masterKey: next, masterKeyOld: before })).rejects.toThrow(
    '1 process does not know it: start them again with it as MASTER_KEY_NEXT',
  )
  await expect(p.rotate()).rejects.toThrow('1 of the processes on this database may seal with the key before')
  await alone.release()
  const aware = await shareProcessLock(database.config, { name: announcementOf([before, next]) })
  await admitKeys(pool, { masterKey: next, masterKeyOld: before })
  await expect(p.rotate()).rejects.toThrow('may seal with the key before')
  await aware.release()
  expect(await p.rotate()).toMatchObject({ retired: [masterKeyId(before)] })
})

test('a start with a key that does not fit, is out of use or would leave another one unread is refused', async () => {
  const p = await product(FEW)
  const { pool, before, next } = p
  await expect(admitKeys(pool, { masterKey: next })).rejects.toThrow('is under another MASTER_KEY')
  await admitKeys(pool, { masterKey: next, masterKeyOld: before })
  await expect(admitKeys(pool, { masterKey: before })).rejects.toThrow('is under another MASTER_KEY')
  await p.rotate()
  await expect(admitKeys(pool, { masterKey: before, masterKeyNext: next })).rejects.toThrow('was taken out of use')
  await admitKeys(pool, { masterKey: next })
  await pool.query('truncate app.master_key')
  await expect(admitKeys(pool, { masterKey: before })).rejects.toThrow('is under another MASTER_KEY')
})

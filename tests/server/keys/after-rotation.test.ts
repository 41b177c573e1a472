import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { admitKeys, masterKeyId } from '../../../server/keys/master-keys.ts'
import { NothingToRotate, rotateMasterKey } from '../../../server/tools/keys/rotate.ts'
import { paperBox } from '../../../services/media/media.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { randomId } from '../../../services/random-id.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { appTemplate } from '../../support/templates/app.ts'

const MEMBERS = 300
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

type Wrap = { readonly subject: string; readonly wrapped: Buffer }

async function product() {
  const database = await freshDatabase({ template: appTemplate })
  const pool = new pg.Pool(database.config)
  pool.on('error', () => undefined)
  stops.push(async () => {
    await pool.end()
    await database.drop()
  })
  const [before, next] = [randomBytes(32), randomBytes(32)]
  await admitKeys(pool, { masterKey: before })
  const members = Array.from({ length: MEMBERS }, (_, index) => `m${index}`)
  await createKeyRing(pool, before).ensure(members, () => null)
  const { rows: wraps } = await pool.query<Wrap>('select subject, wrapped from app.subject_key')
  const media = join(tempDir(), 'media')
  const store = createFileStore(media, { own: 'own', isLeft: () => false })
  const rotate = (more: Partial<Parameters<typeof rotateMasterKey>[0]> = {}) =>
    rotateMasterKey({ pool, keys: [next, before], store, ...more })
  return { database, pool, before, next, wraps, media, store, rotate }
}

/** How many of the wraps of before are in the files of their table, or of another with its long values. */
async function onDisk(
  { pool, wraps }: Awaited<ReturnType<typeof product>>,
  table = 'app.subject_key',
): Promise<number> {
  await pool.query('checkpoint')
  const { rows } = await pool.query<{ file: Buffer }>(
    `select pg_read_binary_file(pg_relation_filepath(file)) as file from pg_class,
       lateral (values (oid), (reltoastrelid)) files (file) where oid = $1::regclass`,
    [table],
  )
  return wraps.filter(({ wrapped }) => rows.some(({ file }) => file.includes(wrapped))).length
}

let p: Awaited<ReturnType<typeof product>>
beforeEach(async () => {
  p = await product()
})

test('once the key before is retired no wrap under it is left in the files', async () => {
  expect(await onDisk(p)).toBe(MEMBERS)
  expect(await p.rotate()).toMatchObject({ retired: [masterKeyId(p.before)], uncleared: [] })
  expect(await onDisk(p)).toBe(0)
})

test('wraps that Postgres has taken samples of are in none of its files either', async () => {
  await p.pool.query('alter table app.subject_key alter wrapped set statistics 100')
  await p.pool.query('analyze app.subject_key')
  await p.pool.query('alter table app.subject_key alter wrapped set statistics 0, alter wrapped type bytea')
  expect(await onDisk(p, 'pg_catalog.pg_statistic')).toBeGreaterThan(0)
  expect(await p.rotate()).toMatchObject({ uncleared: [] })
  await p.pool.query('analyze')
  expect(await onDisk(p, 'pg_catalog.pg_statistic')).toBe(0)
})

test.each([
  ['is in use', 'begin; select from app.subject_key limit 1'],
  ['a transaction sees as it was', 'begin isolation level repeatable read; select 1'],
])('a table that %s is named, and the next run clears it', async (_, statements) => {
  const reader = await p.pool.connect()
  onTestFinished(() => reader.release(true))
  await reader.query(statements)
  const rotating = await p.rotate({ waitMs: 100 })
  expect(rotating.retired).toEqual([masterKeyId(p.before)])
  expect(rotating.uncleared).toContain('app.subject_key')
  await reader.query('commit')
  expect(await p.rotate()).toMatchObject({ sealed: 0, uncleared: [] })
  expect(await onDisk(p)).toBe(0)
})

test('the key that seals is never taken out of use, however often it is named', async () => {
  const { pool, before, next } = p
  await expect(p.rotate({ keys: [before, Buffer.from(before)] })).rejects.toThrow(NothingToRotate)
  await admitKeys(pool, { masterKey: before })
  expect(await p.rotate({ keys: [next, next, before] })).toMatchObject({ retired: [masterKeyId(before)] })
  await admitKeys(pool, { masterKey: next })
})

async function paper({ pool, store, before }: typeof p): Promise<string> {
  const id = randomId()
  await store.write(id, paperBox(before).seal(id, Buffer.from('passport')))
  await pool.query(
    `insert into app.media (id, owner, purpose, kind, mime, bytes, created_at) values ($1, 'ann', 'kyc-id', 'image', 'image/webp', 8, now())`,
    [id],
  )
  return id
}

test('a paper that cannot be read is named, whatever the reason, and the key before stays', async () => {
  const { store, next, before, media } = p
  const [missing, unreadable, removed] = [await paper(p), await paper(p), await paper(p)]
  await p.pool.query('update app.media set deleted_at = now() where id = $1', [removed])
  await store.remove(removed)
  const read = async (id: string) => {
    if (id === unreadable) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    return store.read(id)
  }
  const file = join(media, missing.slice(0, 2), missing.slice(2, 4), missing)
  await rm(file)
  const rotated = await p.rotate({ store: { ...store, read } })
  expect(rotated.retired).toEqual([])
  expect([...rotated.unreadable].sort()).toEqual([`media ${missing} (ENOENT)`, `media ${unreadable} (EMFILE)`].sort())
  await store.write(missing, paperBox(before).seal(missing, Buffer.from('passport')))
  expect(await p.rotate()).toMatchObject({ sealed: 2, unreadable: [], retired: [masterKeyId(before)] })
  for (const id of [missing, unreadable])
    expect(
      paperBox(next)
        .open(id, await store.read(id))
        .toString(),
    ).toBe('passport')
})

test('a connection that is lost under a paper ends the rotation, and does not stay taken', async () => {
  const id = await paper(p)
  const pool = quiet(new pg.Pool({ ...p.database.config, max: 1, application_name: 'rotating' }))
  const read = async (of: string) => {
    await p.pool.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'rotating'`,
    )
    return p.store.read(of)
  }
  await expect(p.rotate({ pool, store: { ...p.store, read } })).rejects.toThrow()
  expect(pool.totalCount - pool.idleCount).toBe(0)
  await pool.end()
  expect(await p.rotate()).toMatchObject({ unreadable: [], retired: [masterKeyId(p.before)] })
  expect(paperBox(p.next).open(id, await p.store.read(id))).toEqual(Buffer.from('passport'))
})

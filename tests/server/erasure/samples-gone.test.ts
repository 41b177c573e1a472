import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { migrateTo, migrateToLatest } from '../../../migrations/index.ts'
import { createReclaiming } from '../../../server/tools/erasure/reclaim.ts'
import { createLogger } from '../../../services/log.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'

const BEFORE = '20260101T004000Z-undo-link'
const UPGRADE = '20260101T004100Z-unsampled'
const WORDS = 'the very words of a mail that was sampled'

/**
 * A database of the release before, whose tables are sampled, in the hands of a user that is no superuser and, unless
 * `owner`, does not own the database.
 */
async function sampledBefore({ owner }: { owner: boolean }) {
  const database = await freshDatabase()
  const role = `plain_${randomBytes(6).toString('hex')}`
  await database.run(`create role ${role}`)
  const name = database.config.database
  await database.run(owner ? `alter database ${name} owner to ${role}` : `grant create on database ${name} to ${role}`)
  const pool = new pg.Pool({ ...database.config, options: `-c role=${role}` })
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  onTestFinished(async () => {
    await db.destroy()
    await database.drop()
    const other = await freshDatabase()
    await other.run(`drop role ${role}`)
    await other.drop()
  })
  await migrateTo(db, BEFORE)
  await createKeyRing(pool, randomBytes(32)).ensure(members, () => null)
  const { rows } = await pool.query<{ wrapped: Buffer }>('select wrapped from app.subject_key')
  await pool.query('alter table app.mailbox alter column subject set statistics -1')
  await pool.query(
    `insert into app.mailbox ("to", subject, text, html, at) select 'a', $1 || n % 3, '', '', now() from generate_series(1, 30) n`,
    [WORDS],
  )
  await pool.query(
    `insert into app.position (member, cell_row, cell_col, lat, lng, accepted_at) select n, n, n, n / 10.0, n / 10.0, now() from generate_series(1, 300) n`,
  )
  await pool.query('analyze')
  return { pool, db, database, wraps: rows.map(({ wrapped }) => wrapped) }
}
type Before = Awaited<ReturnType<typeof sampledBefore>>
const members = Array.from({ length: 300 }, (_, index) => `m${index}`)

async function sampledIn({ pool }: Before): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%s.%s', tablename, attname) as name from pg_stats where schemaname = 'app' order by name`,
  )
  return rows.map(({ name }) => name)
}

/** Everything about the tables of schema `app`, and the files that they are in. */
async function tablesOf({ pool }: Before): Promise<unknown> {
  const { rows } = await pool.query(`
    select c.oid::regclass::text as table, pg_relation_filenode(c.oid) as file,
      (select json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attcollation, attnotnull, attstorage,
         attcompression, attidentity, (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum))
         order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      (select json_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text) from pg_index where indrelid = c.oid) as indexes,
      (select json_agg(pg_get_constraintdef(oid) order by conname) from pg_constraint where conrelid = c.oid) as constraints
    from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' order by 1`)
  const views = await pool.query(
    `select viewname, definition from pg_views where schemaname = 'read' order by viewname`,
  )
  return [rows, views.rows]
}

/** How many of these are in the files of Postgres' own samples. */
async function onDisk({ database }: Before, bytes: readonly Buffer[]): Promise<number> {
  await database.run('checkpoint')
  const { rows } = await database.run(
    `select pg_read_binary_file(pg_relation_filepath(file)) as file from pg_class,
       lateral (values (oid), (reltoastrelid)) files (file) where oid = 'pg_catalog.pg_statistic'::regclass`,
  )
  return bytes.filter((one) => rows.some(({ file }: { file: Buffer }) => file.includes(one))).length
}

/** What one round in the night after an erasure logs. */
async function nightAfterErasure({ pool }: Before): Promise<string> {
  await pool.query(`insert into app.destroyed_key (subject, destroyed_at, settled_at) values ('m1', now(), now())`)
  const lines: string[] = []
  const logger = createLogger({ destination: { write: (line: string) => void lines.push(line) } })
  await createReclaiming({ pool, logger, now: () => new Date(2030, 0, 6, 3) }).sweep()
  return lines.join('')
}

test.each([{ owner: true }, { owner: false }])(
  'an upgrade ends samples of keys, places and mail, and changes nothing else about tables ($owner: own database)',
  async (whose) => {
    const before = await sampledBefore(whose)
    expect(await sampledIn(before)).toEqual(
      expect.arrayContaining(['mailbox.subject', 'position.lng', 'subject_key.wrapped']),
    )
    const tables = await tablesOf(before)
    await migrateTo(before.db, UPGRADE)
    expect(await tablesOf(before)).toEqual(tables)
    await before.pool.query('analyze')
    const left = (await sampledIn(before)).filter((name) => /^(mailbox|position|subject_key)\./.test(name))
    expect(left).toEqual(expect.arrayContaining(['mailbox.at', 'position.member', 'subject_key.subject']))
    expect(left.filter((name) => /\.(subject|text|html|to|lat|lng|cell_\w+|wrapped)$/.test(name))).toEqual([
      'subject_key.subject',
    ])
  },
)

test('the night after an erasure clears what old samples left, where this user may', async () => {
  const before = await sampledBefore({ owner: true })
  await migrateToLatest(before.db)
  const taken = [...before.wraps, Buffer.from(WORDS)]
  expect(await onDisk(before, taken)).toBeGreaterThan(50)
  expect(await nightAfterErasure(before)).toMatch(/Tables were made anew/)
  expect(await onDisk(before, taken)).toBe(0)
})

test('a user who may not clear old samples leaves them, and the rest of the night goes on', async () => {
  const before = await sampledBefore({ owner: false })
  await migrateToLatest(before.db)
  expect(await nightAfterErasure(before)).toMatch(/Tables were made anew/)
  const { rows } = await before.pool.query<{ what: string }>('select what from app.reclaimed')
  expect(rows.map(({ what }) => what)).toContain('table app.subject_key')
  expect(rows.filter(({ what }) => what.includes('pg_statistic'))).toEqual([])
})

test('an upgrade waits for who has a table without keeping others from the tables', async () => {
  const before = await sampledBefore({ owner: true })
  const reader = await before.pool.connect()
  onTestFinished(() => reader.release(true))
  await reader.query('begin; lock table app.subject_key in access share mode')
  const upgrading = migrateToLatest(before.db)
  await until('it waits', async () => {
    const { rowCount } = await before.database.run(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === 1
  })
  // One that was locked before: would it stay locked, each would wait for the other.
  await reader.query('select from app.address limit 1')
  await reader.query('commit')
  await upgrading
  expect(await sampledIn(before)).not.toContain('subject_key.wrapped')
})

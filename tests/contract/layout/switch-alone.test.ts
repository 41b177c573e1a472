import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { layoutOf } from '../../../eventstore/embedded/storage/layout.ts'
import { START } from '../../../eventstore/embedded/storage/move/copy.ts'
import { switchOver } from '../../../eventstore/embedded/storage/move/switch-over.ts'
import { PostgresStorage, type TableOptions } from '../../../eventstore/embedded/storage/postgres-storage.ts'
import { CREATE_SINGLE } from '../../../eventstore/embedded/storage/single-table.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'

const WRITER = `select pid from pg_locks where locktype = 'advisory' and granted
  and objid = (hashtext('log-server')::bigint & 4294967295)::oid
  and database = (select oid from pg_database where datname = current_database())`

const MOVER = `select from pg_stat_activity where datname = current_database() and state = 'idle'
  and query like 'select pg_try_advisory_lock%' and pid <> pg_backend_pid()`

let database: FreshDatabase
let holder: pg.Client
const storages: PostgresStorage[] = []
let lines: string[] = []
/** Thirty events in the layout before. */
beforeEach(async () => {
  lines = []
  database = await freshDatabase()
  await database.run(CREATE_SINGLE)
  await database.run(`insert into log.event
    select n, 's', n - 1, gen_random_uuid(), 'Noted', true, 0, '{}', '{}' from generate_series(1, 30) n`)
  holder = new pg.Client(database.config)
  holder.on('error', () => undefined)
  await holder.connect()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await holder.end()
  for (const storage of storages.splice(0)) await storage.close()
  await database.drop()
})

function storageWith(tables: TableOptions): PostgresStorage {
  const settings = { database: database.config, logLine: (line: string) => void lines.push(line), lockWaitMs: 5_000 }
  const storage = new PostgresStorage({ ...settings, tables: { span: 10, ...tables } })
  storages.push(storage)
  return storage
}

const holdScavenges = () => holder.query("select pg_advisory_lock(hashtext('log-scavenge'))")
const releaseScavenges = () => holder.query("select pg_advisory_unlock(hashtext('log-scavenge'))")
const layout = () => layoutOf(holder)
const moved = () => until('the log has moved', async () => (await layout()) === 'partitioned')

async function loseWriter(storage: PostgresStorage): Promise<void> {
  await database.run(`select pg_terminate_backend(pid) from (${WRITER}) writer`)
  await until('the writer is lost', () => !storage.writable())
}

test('nobody is handed the connection that writes before it has been opened whole', async () => {
  const storage = storageWith({ moveAtOnce: 0 })
  await holdScavenges()
  await storage.open()
  await loseWriter(storage)
  await holder.query('begin; lock table log.event in access exclusive mode')
  const opening = storage.open()
  await until('the writer waits for its table', async () => {
    const { rows } = await holder.query(`select from pg_locks where not granted and relation = 'log.event'::regclass`)
    return rows.length
  })
  expect([storage.writable(), await storage.alive()]).toEqual([false, false])
  await expect(storage.summarise(['s'])).rejects.toThrow(/is gone/)
  await holder.query('commit')
  expect(await opening).toBe(30)
  expect([storage.writable(), await storage.alive()]).toEqual([true, true])
})

test('a log that is served moves by its mover alone, also when its writer begins anew', async () => {
  let free = 0
  const storage = storageWith({ moveAtOnce: 100, freeBytes: async () => free, roomAgainMs: 3_600_000 })
  await storage.open()
  await until('the mover waits for room', () => lines.some((line) => line.includes('waits')))
  free = Number.MAX_SAFE_INTEGER
  await loseWriter(storage)
  await storage.open()
  expect(await layout()).toBe('single')
  const page = { from: 0, backwards: false, limit: 100 }
  expect((await storage.readStream('s', page)).events).toHaveLength(30)
})

test('a small log does not move at its start while it is scavenged', async () => {
  const storage = storageWith({ moveAtOnce: 100 })
  await holdScavenges()
  await storage.open()
  expect(await layout()).toBe('single')
  await releaseScavenges()
  await moved()
})

test('a mover that waited while another server moved the log leaves nothing behind', async () => {
  const storage = storageWith({ moveAtOnce: 0 })
  await holdScavenges()
  await storage.open()
  await until('the mover waits', async () => (await holder.query(MOVER)).rowCount)
  expect(await switchOver(holder, { after: START, most: 100, span: 10 })).toBe('done')
  await releaseScavenges()
  const tables = `select to_regclass('log.event_before') as before, to_regclass('log.event_next') as next`
  await until('the table before is freed', async () => (await holder.query(tables)).rows[0].before === null)
  expect((await holder.query(tables)).rows[0].next).toBeNull()
  expect((await holder.query('select count(*)::int as events from log.event')).rows[0].events).toBe(30)
})

test('the transaction of the switch has its connection to itself', async () => {
  const statements = new Map<unknown, string[]>()
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: unknown, ...args: unknown[]) {
    const own = statements.get(this) ?? []
    statements.set(this, [...own, typeof args[0] === 'string' ? args[0] : String((args[0] as { text: string }).text)])
    return query.apply(this, args)
  } as never)
  const storage = storageWith({ moveAtOnce: 0, moveBatch: 7 })
  await storage.open()
  let switched = false
  const asking = (async () => {
    while (!switched) expect(await storage.alive()).toBe(true)
  })()
  await moved()
  switched = true
  await asking
  const writer = [...statements.values()].find((own) => own.some((text) => text.startsWith('lock table')))!
  const from = writer.lastIndexOf('begin')
  const within = writer.slice(from, writer.indexOf('commit', from) + 1)
  expect(within.filter((text) => text.startsWith('alter table log.event'))).toHaveLength(2)
  expect(within.filter((text) => text.includes('as alive'))).toEqual([])
})

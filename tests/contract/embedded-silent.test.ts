import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EventLog } from '../../eventstore/embedded/event-log.ts'
import type { Gate } from '../../eventstore/embedded/storage/gate.ts'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { CREATE_SINGLE } from '../../eventstore/embedded/storage/single-table.ts'
import type { Write } from '../../eventstore/embedded/writer/write.ts'
import { HeardClient } from '../../eventstore/postgres/heard-client.ts'
import { freshDatabase } from '../support/fresh-database.ts'
import { wayTo } from '../support/servers/way-to.ts'
import { until } from '../support/until.ts'

const noted = (position: number) => {
  const nothing = Buffer.alloc(0)
  const event = { stream: 's', revision: position, id: randomUUID(), type: 'Noted', json: true, created: 0 }
  return { ...event, position, data: nothing, metadata: nothing }
}

const appended = (stream: string, expected: Write['expected']): Write => {
  const [{ id, type, json, data, metadata }, deadline] = [noted(1), Number.POSITIVE_INFINITY]
  return { kind: 'append', stream, expected, events: [{ id, type, json, data, metadata }], deadline }
}

const END_WRITERS = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`

const END_MOVER = `${END_WRITERS} and objid = (hashtext('log-scavenge')::bigint & 4294967295)::oid`

async function opened(silentMs: number) {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const { silence, swallow, hasSwallowed, ...address } = await wayTo(database.config)
  const settings = { database: { ...database.config, ...address }, logLine: () => undefined, lockWaitMs: 1_000 }
  const storage = new PostgresStorage({ ...settings, silentMs })
  onTestFinished(() => storage.close())
  await storage.open()
  return { database, storage, silence, swallow, hasSwallowed }
}

/** One connection, over a way that can fall silent. */
async function heard(silentMs: number) {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const { silence, host, port } = await wayTo(database.config)
  const client = new HeardClient({ ...database.config, host, port, silentMs })
  await client.connect()
  onTestFinished(() => client.end())
  return { client, silence, stream: (client as unknown as { connection: { stream: Socket } }).connection.stream }
}

const START = { from: 0, backwards: false, limit: 10 }
const readAll = (storage: PostgresStorage) => storage.readAll(START).then(({ events }) => events.length)

/** All connections that read are silent, and the one that writes is another. */
async function withSilentReaders(silentMs: number) {
  const { storage, silence } = await opened(silentMs)
  await storage.commit([noted(1), noted(2)])
  await Promise.all(Array.from({ length: 8 }, () => readAll(storage)))
  silence()
  const asked = Array.from({ length: 4 }, () => readAll(storage))
  const log = new EventLog(storage, () => undefined)
  await log.open()
  return { log, storage, asked }
}

test('a writing connection that falls silent is cut, and the next one has the lock though the former did not end', async () => {
  const { storage, silence } = await opened(1_000)
  await storage.commit([noted(1)])
  silence()
  await expect(storage.commit([noted(2)])).rejects.toThrow()
  expect(await storage.open()).toBe(1)
  await storage.commit([noted(2)])
  expect(await storage.open()).toBe(2)
})

test('a move that falls silent is noticed, and goes on once its former connection has ended', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  await database.run(CREATE_SINGLE)
  await database.run(`insert into log.event
    select n, 's', n - 1, gen_random_uuid(), 'Noted', true, 0, '{}', '{}' from generate_series(1, 30) n`)
  const { swallow, host, port } = await wayTo(database.config)
  const lines: string[] = []
  const settings = { logLine: (line: string) => void lines.push(line), lockWaitMs: 1_000, silentMs: 1_000 }
  const tables = { span: 10, moveAtOnce: 0, moveBatch: 7 }
  const storage = new PostgresStorage({ database: { ...database.config, host, port }, ...settings, tables })
  onTestFinished(() => storage.close())
  swallow('insert into log.event_next')
  await storage.open()
  await until('it is noticed', () => lines.some((line) => line.includes('is silent')))
  await database.run(END_MOVER)
  await until('the log has moved', () => lines.includes('The log has moved to partitions.'))
})

test('a move waits for who reads the table that it left, however long that is', async () => {
  const { database, storage } = await opened(300)
  await storage.close()
  await database.run('create table log.event_before ()')
  const lines: string[] = []
  const settings = { database: database.config, logLine: (line: string) => void lines.push(line), lockWaitMs: 1_000 }
  const reader = new pg.Client(database.config)
  await reader.connect()
  await reader.query('begin; lock table log.event_before in access share mode')
  const moving = new PostgresStorage({ ...settings, silentMs: 300 })
  onTestFinished(() => moving.close())
  await moving.open()
  await reader.query('select pg_sleep(1)')
  await reader.end()
  const left = `select to_regclass('log.event_before') is not null as left`
  await until('it is freed', async () => !(await database.run(left)).rows[0].left)
  expect(lines).toEqual([])
})

test('a move without room states it at once, and waits for who reads what it gives back', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  await database.run(CREATE_SINGLE)
  await database.run(`insert into log.event
    select n, 's', n - 1, gen_random_uuid(), 'Noted', true, 0, convert_to(repeat('x', 500), 'utf8'), '{}'
    from generate_series(1, 800) n`)
  const reader = new pg.Client(database.config)
  await reader.connect()
  const copies = `select count(*) > 0 as there from pg_inherits where inhparent = to_regclass('log.event_next')`
  const freeBytes = async () => {
    if (!(await reader.query(copies)).rows[0].there) return 1e12
    await reader.query('begin; lock table log.event_next in access share mode')
    return 0
  }
  const waits: string[] = []
  const logLine = (line: string) => void (line.includes(' waits: ') && waits.push(line))
  const settings = { logLine, lockWaitMs: 1_000, silentMs: 300 }
  const tables = { span: 1_000, moveAtOnce: 0, moveBatch: 100, roomLookMs: 0, freeBytes }
  const storage = new PostgresStorage({ database: database.config, ...settings, tables })
  onTestFinished(() => storage.close())
  await storage.open()
  await until('it is stated', () => waits.at(-1)?.includes('Free some'))
  const { length } = waits
  await reader.query('select pg_sleep(1)')
  await reader.end()
  await until('they are gone', async () => !(await database.run(copies)).rows[0].there)
  expect(waits).toHaveLength(length)
})

test('a question that may take long is silent for longer, and the next one is not', async () => {
  const { client, silence } = await heard(300)
  expect((await client.patiently(() => client.query('select pg_sleep(1)'))).rowCount).toBe(1)
  silence()
  await expect(client.query('select 1')).rejects.toThrow()
})

test('a writing connection that was idle for longer than it may be silent is cut as well', async () => {
  const { storage, silence } = await opened(300)
  const { stream } = (storage as unknown as { writer: { connection: { stream: Socket } } }).writer.connection
  await new Promise((resolve) => stream.once('timeout', () => setImmediate(resolve)))
  await storage.commit([noted(1)])
  silence()
  await expect(storage.commit([noted(2)])).rejects.toThrow()
})

test('a question that begins as its connection has been idle for long is answered', async () => {
  const { client, stream } = await heard(60_000)
  stream.emit('timeout')
  expect((await client.query('select 1')).rowCount).toBe(1)
})

test('a connection that was paused when it fell silent is cut once it goes on', async () => {
  const { client, stream, silence } = await heard(300)
  const asked = client.query('select pg_sleep(60)')
  stream.pause()
  silence()
  await new Promise((resolve) => stream.once('timeout', () => setImmediate(resolve)))
  stream.resume()
  await expect(asked).rejects.toThrow()
})

test('a connection that is paused is kept, and has its answer once it goes on', async () => {
  const { client, stream } = await heard(300)
  const asked = client.query(`select repeat('x', 1000000) from generate_series(1, 20)`)
  stream.pause()
  await new Promise((resolve) => stream.once('timeout', () => setImmediate(resolve)))
  stream.resume()
  expect((await asked).rowCount).toBe(20)
})

test('the machine keeps an idle connection alive, and so notices that its network is gone', async () => {
  const kept = vi.spyOn(Socket.prototype, 'setKeepAlive')
  onTestFinished(() => kept.mockRestore())
  const { stream } = await heard(60_000)
  const at = kept.mock.contexts.indexOf(stream)
  expect(kept.mock.calls[at]).toEqual([true, 10_000])
})

test('nobody waits for long for a connection that is not answered, or for a place among the readers', async () => {
  const { database, storage } = await opened(60_000)
  const { stick, host, port } = await wayTo(database.config)
  stick(true)
  const client = new HeardClient({ ...database.config, host, port })
  onTestFinished(() => client.end())
  const holder = new pg.Client(database.config)
  await holder.connect()
  await holder.query('begin; lock table log.event in access exclusive mode')
  const [fifth, ...others] = Array.from({ length: 5 }, () => readAll(storage)).reverse()
  const ends = await Promise.allSettled([client.connect(), fifth])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await holder.query('commit')
  await holder.end()
  expect(await Promise.all(others)).toEqual([0, 0, 0, 0])
})

test('reads whose connections fall silent fail, and the next ones are answered', async () => {
  const { storage, asked } = await withSilentReaders(1_000)
  for (const one of asked) await expect(one).rejects.toThrow()
  expect(await readAll(storage)).toBe(2)
})

test('a log is not alive while its reads are not answered', async () => {
  const { log, asked } = await withSilentReaders(3_000)
  expect([log.ready(), await log.alive()]).toEqual([true, false])
  await Promise.allSettled(asked)
  await until('it is alive', () => log.alive())
})

test('a log is not alive whose connections are gone by the time a switch lets the question through', async () => {
  const { storage } = await opened(60_000)
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const { gate } = storage as unknown as { gate: Gate }
  const asked: Promise<boolean>[] = []
  await gate.alone(1_000, async () => {
    asked.push(storage.alive())
    await storage.close()
  })
  expect(await Promise.all(asked)).toEqual([false])
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).not.toHaveBeenCalled()
})

test('a log whose readers are all at long reads is alive', async () => {
  const { database, storage } = await opened(60_000)
  const log = new EventLog(storage, () => undefined)
  await log.open()
  const holder = new pg.Client(database.config)
  await holder.connect()
  await holder.query('begin; lock table log.event in access exclusive mode')
  const asked = Promise.all(Array.from({ length: 8 }, () => readAll(storage)))
  const waiting = `select from pg_locks where not granted and relation = 'log.event'::regclass`
  await until('four reads wait', async () => (await holder.query(waiting)).rowCount === 4)
  for (let n = 0; n < 3; n++) expect(await log.alive()).toBe(true)
  await holder.query('commit')
  await holder.end()
  expect(await asked).toEqual(Array(8).fill(0))
})

test('a write that has lost a race is answered while no read is, and others beside it too', async () => {
  const { log, asked } = await withSilentReaders(4_000)
  let silent = true
  const cut = Promise.allSettled(asked).then(() => {
    silent = false
  })
  const outcomes = await Promise.all([log.write(appended('s', 0)), log.write(appended('t', 'no_stream'))])
  expect(silent).toBe(true)
  expect(outcomes).toMatchObject([{ ok: false, reason: 'wrong-revision', current: 2 }, { ok: true }])
  await cut
})

test.each(['idle_session_timeout', 'pg_try_advisory_lock', 'synchronous_commit', 'relkind', 'max(id)', 'id, stream'])(
  'a writer that begins anew and has no answer to %s begins again over another connection',
  async (question) => {
    const { database, storage, swallow, hasSwallowed } = await opened(1_000)
    const log = new EventLog(storage, () => undefined)
    await log.open()
    await log.write(appended('s', 'no_stream'))
    swallow(question)
    await database.run(END_WRITERS)
    await until('the question is asked', hasSwallowed)
    await until('it can write', () => log.ready())
    expect(await log.write(appended('s', 0))).toMatchObject({ ok: true, revision: 1 })
  },
)

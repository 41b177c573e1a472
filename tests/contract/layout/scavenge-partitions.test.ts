import { BACKWARDS, END } from '@eventstore/db-client'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scavenge } from '../../../eventstore/embedded/storage/scavenge.ts'
import { wayTo } from '../../support/servers/way-to.ts'
import { until } from '../../support/until.ts'
import { all, type EmbeddedTarget, note, notes, openEmbedded, REAL_LOG } from '../log-target.ts'

const SPAN = 10
const PARTITIONS = `select inhrelid::regclass::text as name from pg_inherits
  where inhparent = 'log.event'::regclass and not inhdetachpending order by inhrelid`
const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

let target: EmbeddedTarget
const client = () => target.client
const scavenged = (silentMs?: number) => scavenge({ database: { ...target.database.config, silentMs } })
const partitions = async () => (await target.database.run(PARTITIONS)).rows.map(({ name }) => name as string)

/** A stream that has gone on to one event, in many partitions, between two events of another that stay. */
async function passing(events: number): Promise<void> {
  await client().appendToStream('lasting', note('Noted'))
  for (let left = events; left > 0; left -= 100) await client().appendToStream('passing', notes(Math.min(left, 100)))
  await client().setStreamMetadata('passing', { maxCount: 1 })
  await client().appendToStream('lasting', notes(3))
}

describe.skipIf(REAL_LOG)('a scavenge of many partitions', () => {
  beforeEach(async () => {
    target = await openEmbedded({ tables: { span: SPAN } })
  })
  afterEach(() => target.close())

  test('drops what an interrupted one has emptied', async () => {
    await passing(100)
    await target.database.run(`delete from log.event where stream = 'passing' and revision < 60`)
    await scavenged()
    expect((await partitions())[1]).toBe('log.event_101')
    await client().setStreamMetadata('nothing', { maxCount: 1 })
    expect(await all(client().readStream('passing'))).toHaveLength(1)
    expect(await all(client().readStream('lasting'))).toHaveLength(4)
  })

  test('a reader in the middle of them goes on behind what is dropped', async () => {
    await passing(300)
    const forwards = client().readAll({ maxCount: 1_000 })
    const backwards = client().readAll({ maxCount: 1_000, direction: BACKWARDS, fromPosition: END })
    const seen: string[][] = [[], []]
    for (const [at, read] of [forwards, backwards].entries()) {
      for await (const { event } of read) {
        if (seen[at]!.length === 2) await scavenged()
        if (event) seen[at]!.push(`${event.streamId} ${event.revision}`)
      }
      expect(seen[at]!.filter((one) => one.startsWith('lasting'))).toHaveLength(4)
      expect(seen[at]!.at(at ? 0 : -1)).toBe('lasting 3')
    }
    expect((await partitions()).length).toBeLessThan(6)
  })

  test('that waits for a reader keeps no append and no read waiting', async () => {
    await passing(60)
    const reader = new pg.Client(target.database.config)
    await reader.connect()
    await reader.query('begin isolation level repeatable read; select count(*) from log.event')
    const waiting = scavenged()
    await until('it waits for the reader', async () => {
      const { rows } = await target.database.run(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table%detach%'`)
      return rows.length
    })
    for (let round = 0; round < 6; round++) await client().appendToStream('meanwhile', notes(9))
    expect(await all(client().readStream('meanwhile'))).toHaveLength(54)
    expect(await all(client().readStream('passing'))).toHaveLength(1)
    await reader.end()
    await waiting
    expect(await partitions()).not.toContain('log.event_21')
  })

  test.each([
    ['for streams with metadata', 'lock table log.stream in access exclusive mode'],
    ['for a vacuum of what it has cleaned', 'lock table log.event_21 in share update exclusive mode'],
    ['for a reader of what it drops', 'select count(*) from log.event'],
  ])('waits %s, however long that is', async (_, lock) => {
    await passing(60)
    const holder = new pg.Client(target.database.config)
    await holder.connect()
    holder.on('error', () => undefined)
    await holder.query(`begin isolation level repeatable read; ${lock}`)
    const waiting = scavenged(1_000)
    const isWaiting = async () => (await target.database.run(WAITING)).rowCount
    await Promise.race([until('it waits', isWaiting), waiting])
    await holder.query('select pg_sleep(2)')
    await holder.end()
    expect(await waiting).toMatchObject({ events: 59 })
    expect(await partitions()).not.toContain('log.event_21')
  })

  test('whose connection falls silent fails', async () => {
    await passing(60)
    const { swallow, host, port } = await wayTo(target.database.config)
    swallow('delete from log.event')
    const database = { ...target.database.config, host, port, silentMs: 1_000 }
    await expect(scavenge({ database })).rejects.toThrow('is silent')
  })

  test('reads an event a few times at most, however many a stream has', async () => {
    await target.close()
    target = await openEmbedded({ tables: { span: 1_000_000 } })
    const events = 20_000
    await client().appendToStream('passing', note('Noted'))
    await client().setStreamMetadata('passing', { maxCount: 1 })
    await target.database.run(`insert into log.event (position, revision, created, stream_id, id, json, stream, type, data, metadata)
      select n + 2, n, 0, stream_id, gen_random_uuid(), true, stream, type, convert_to(repeat('x', 200), 'utf8'), ''
      from log.event, generate_series(1, ${events - 1}) n where stream = 'passing'`)
    await target.database.run('select pg_stat_reset()')
    expect(await scavenged()).toMatchObject({ events: events - 1 })
    const read = async () => {
      const { rows } = await target.database.run(`select ((select sum(idx_tup_read) from pg_stat_user_indexes
        where relname like 'event_%') + (select sum(seq_tup_read) from pg_stat_user_tables where relname like 'event_%'))::int
        as events`)
      return rows[0].events as number
    }
    await until('it is counted', async () => (await read()) > events)
    expect(await read()).toBeLessThan(5 * events)
  })
})

import { join } from 'node:path'
import { EventStoreDBClient } from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { CREATE_SINGLE } from '../../../eventstore/embedded/storage/single-table.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { startLogProcess } from '../log-child.ts'

const EVENTS = 60_000
const FILL = `insert into log.event select n, 'old-' || n % 500, (n - 1) / 500, gen_random_uuid(), 'Noted', true, n,
  convert_to('{"n":' || n || '}', 'utf8'), '' from generate_series(1, ${EVENTS}) n`
const STATE = `select to_regclass('log.event_before') is null
  and (select relkind = 'p' from pg_class where oid = to_regclass('log.event')) as moved`
const CONTENT = `select count(*)::int as events, bit_xor(hash_record_extended(row(position, stream, revision, id, type, json,
  created, data, metadata), 0))::text as hash from log.event where type = 'Noted'`

test('a log server that is killed while its log moves resumes, and nothing is lost or changed', async () => {
  const database = await freshDatabase()
  await database.run(CREATE_SINGLE)
  await database.run(FILL)
  const before = (await database.run(CONTENT)).rows[0]
  const folder = join(makeTempDir('letsbuzz-move-'), 'data')
  let port = 0
  let kills = 0
  const acknowledged: string[] = []
  for (; ; kills++) {
    const server = await startLogProcess(database.config, port, folder)
    port = server.port
    const client = EventStoreDBClient.connectionString(server.connectionString)
    const event = { id: crypto.randomUUID(), type: 'Meanwhile', contentType: 'application/json' as const, data: {} }
    await client.appendToStream('meanwhile', { ...event, metadata: undefined })
    acknowledged.push(event.id)
    const moved = async () => (await database.run(STATE)).rows[0].moved as boolean
    if (kills >= 3) await until('the log has moved', moved, 60_000)
    const done = await moved()
    await client.dispose()
    await server.kill()
    if (done) break
  }
  expect((await database.run(CONTENT)).rows[0]).toEqual(before)
  const { rows } = await database.run(`select id from log.event where type = 'Meanwhile' order by position`)
  expect(rows.map(({ id }) => id)).toEqual(acknowledged)
  expect(kills).toBeGreaterThan(1)
  await database.drop()
})

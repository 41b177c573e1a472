import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { type ChainDeps, extendChain } from '../../eventstore/chain/extend.ts'
import { createSeals } from '../../eventstore/chain/seals.ts'
import { tableSource } from '../../eventstore/chain/table-source.ts'
import { verifyChain } from '../../eventstore/chain/verify.ts'
import { openStorage } from '../../server/storage.ts'
import { fillSql, makeRoom } from '../eventstore/fill-log.ts'
import { type Figure, median, perSecond, ratio } from './figures.ts'
import type { Store } from './store.ts'

const ROUNDS = 3
const KEPT_BYTES = 64 * 1024 * 1024

/**
 * Ids, lengths and a seal as a chat message has them; written into the log's table, since appends are measured
 * elsewhere.
 */
const GENERATE = fillSql(`
  select n, 'pair-' || stream, (n - 1) / 50000, gen_random_uuid(), 'MessageSent', true, 1800000000000000 + n * 20000,
    convert_to('{"message":"' || gen_random_uuid() || '","number":' || n || ',"from":"' || left(stream, 24) || '","to":"'
      || right(stream, 24) || '","at":"2027-01-15T08:00:00.000Z","sealed":{"from":"' || md5(n::text) || md5((-n)::text)
      || md5((n * 2)::text) || md5((n * 3)::text) || '"}}', 'utf8'),
    convert_to('{"commandId":"' || gen_random_uuid() || '","correlationId":"' || gen_random_uuid() || '","causationId":"'
      || gen_random_uuid() || '","actor":"' || left(stream, 24) || '","fingerprint":"' || left(md5(n::text), 22)
      || '","schema":1}', 'utf8')
  from (select n, left(md5((n % 50000)::text), 24) || '_' || left(md5((-(n % 50000))::text), 24) as stream
    from generate_series(1, $1::bigint) n) generated`)

/** The whole log compared with its heads, beside a bare pass of SHA-256 over the same bytes. */
export async function benchChain({ postgres, app }: Store, events: number): Promise<Figure[]> {
  const database = postgres.clientConfig('log')
  const storage = await openStorage(app)
  try {
    await generate(database, events)
    const source = tableSource(database)
    const deps: ChainDeps = { pool: storage.pool, source, seals: createSeals(randomBytes(32)), now: () => new Date() }
    const sealing = await secondsOf(() => extendChain(deps))
    const times: Record<'own' | 'alone' | 'bare', number[]> = { own: [], alone: [], bare: [] }
    const sample = await sampleOf(database, events)
    for (let round = 0; round < ROUNDS; round++) {
      times.own.push(await secondsOf(() => sound(deps, events)))
      times.alone.push(await secondsOf(() => sound(deps, events, 1)))
      times.bare.push(await secondsOf(async () => hashOver(sample)))
    }
    const bare = median(times.bare)
    const mega = Math.round(sample.total / 1024 / 1024)
    const line = (what: string, seconds: number): Figure => ({
      what: `${events.toLocaleString('en')} events ${what}`,
      value: `${seconds.toFixed(1)} s, ${perSecond(events / seconds)}`,
      against: `SHA-256 over ${mega} MB ${bare.toFixed(1)} s`,
      ratio: ratio(seconds, bare),
    })
    return [
      line('verified by two workers', median(times.own)),
      line('verified by one', median(times.alone)),
      line('sealed for the first time', sealing),
      await sizeOf(storage.pool, database),
    ]
  } finally {
    await storage.close()
  }
}

async function generate(database: pg.ClientConfig, events: number): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await makeRoom(client, events)
    await client.query(GENERATE, [events])
    await client.query('vacuum (analyze) log.event')
  } finally {
    await client.end()
  }
}

async function sound(deps: ChainDeps, expected: number, workers = 2): Promise<void> {
  const { ok, events } = await verifyChain(deps, { workers })
  if (!ok || events !== expected) throw new Error(`The chain does not hold: ${events} events.`)
}

type Sample = { readonly bytes: Buffer; readonly total: number }

/** The first bytes of the log as the chain covers them, and how many there are. */
async function sampleOf(database: pg.ClientConfig, events: number): Promise<Sample> {
  const bytes = Buffer.alloc(KEPT_BYTES)
  let total = 0
  await tableSource(database).each({ after: 0, to: events }, (tuple) => {
    if (total < KEPT_BYTES) tuple.copy(bytes, total)
    total += tuple.length
  })
  return { bytes, total }
}

/** As many bytes as the log has, without a disk, a database or an event. */
function hashOver({ bytes, total }: Sample): void {
  const hash = createHash('sha256')
  for (let left = total; left > 0; left -= bytes.length) hash.update(bytes.subarray(0, Math.min(left, bytes.length)))
  hash.digest()
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

/** Of a table and its partitions. */
const SIZE = `select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size($1)) as bytes
  from pg_partition_tree($1)`

async function sizeOf(pool: pg.Pool, database: pg.ClientConfig): Promise<Figure> {
  const client = new pg.Client(database)
  await client.connect()
  const size = async (db: pg.Pool | pg.Client, table: string) => Number((await db.query(SIZE, [table])).rows[0].bytes)
  const [heads, log] = [await size(pool, 'app.chain_segment'), await size(client, 'log.event')]
  await client.end()
  const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
  return { what: 'heads and listings on disk', value: mb(heads), against: `log ${mb(log)}`, ratio: ratio(heads, log) }
}

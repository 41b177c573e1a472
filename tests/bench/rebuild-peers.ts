import { SQL } from '@event-driven-io/dumbo'
import {
  getPostgreSQLEventStore,
  postgreSQLRawSQLProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql'
import type pg from 'pg'
import { START } from '../../domain/shared/recorded.ts'
import { Advance } from '../../projections/engine/advance.ts'
import { type AnyRow, layoutOf } from '../../projections/engine/columns.ts'
import { createDecode } from '../../projections/engine/decoding.ts'
import { copyIn } from '../../projections/engine/fill/copy-in.ts'
import { findHome } from '../../projections/engine/targets.ts'
import { inTransaction } from '../../projections/engine/transaction.ts'
import type { Projection } from '../../projections/projection.ts'
import type { Core } from '../../server/core.ts'

const rate = async (events: number, work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return events / ((performance.now() - startedAt) / 1_000)
}

/** Events per second with a transaction for each. */
export async function transactionPerEvent(core: Core, projection: Projection, events: number): Promise<number> {
  const { log, codec, keys, storage } = core
  const home = await findHome(storage.pool, log, projection, { again: true })
  if (home.do !== 'fill') throw new Error('There are no tables to fill.')
  const stored = await log.readAll(START, events)
  const deps = { pool: storage.pool, decode: createDecode(codec, keys), projection }
  const advance = await Advance.of(deps, home.target, { strict: true })
  return rate(stored.length, async () => {
    for (const event of stored) await advance.take([event], stored[0]!.id)
  })
}

/** Rows per second, and how long the final rows take, by COPY alone into a table without an index. */
export async function bareCopy(core: Core, projection: Projection): Promise<{ rows: number; seconds: number }> {
  const { pool } = core.storage
  const [table] = projection.tables
  const { rows } = await pool.query<AnyRow>(`select * from read."${table!.name}"`)
  await pool.query(`create table app.bench_bare as select * from read."${table!.name}" limit 0`)
  const startedAt = performance.now()
  await inTransaction(pool, (db) => copyIn(db, 'app.bench_bare', layoutOf(table!), rows))
  const seconds = (performance.now() - startedAt) / 1_000
  await pool.query('drop table app.bench_bare')
  return { rows: rows.length, seconds }
}

type VisibilityChanged = {
  type: 'VisibilityChanged'
  data: { member: string; visibility: string; at: string }
}

/**
 * The peer's own rebuild of the same model from its own store of as many events, by its own defaults but for `batch`.
 */
export async function peerRebuild(database: pg.ClientConfig, events: number, members: number, batch: number) {
  const connectionString = `postgresql://${database.user}@localhost/${database.database}?host=${database.host}&port=${database.port ?? 5432}`
  const projection = postgreSQLRawSQLProjection<VisibilityChanged>({
    name: `bench_peer_${batch}`,
    canHandle: ['VisibilityChanged'],
    init: () => SQL`create table if not exists bench_peer
      (member text primary key, changes integer not null, word text not null, last_at timestamptz)`,
    evolve: ({
      data: { member, visibility, at },
    }) => SQL`insert into bench_peer values (${member}, 1, ${visibility}, ${at})
      on conflict (member) do update set changes = bench_peer.changes + 1, word = excluded.word, last_at = excluded.last_at`,
  })
  const store = getPostgreSQLEventStore(connectionString)
  try {
    await store.schema.migrate()
    const perMember = Math.max(1, Math.floor(events / members))
    for (let n = 0; n * perMember < events; n++) {
      const made = Array.from(
        { length: perMember },
        (_, index): VisibilityChanged => ({
          type: 'VisibilityChanged',
          data: { member: `member${n}`, visibility: index % 2 ? 'active' : 'invisible', at: new Date().toISOString() },
        }),
      )
      await store.appendToStream(`profile-${batch}-${n}`, made)
    }
    const pulling = { batchSize: batch, pullingFrequencyInMs: 1 }
    const consumer = rebuildPostgreSQLProjections({ connectionString, pulling, projections: [projection] })
    return await rate(events, () => consumer.start()).finally(() => consumer.close())
  } finally {
    await store.close()
  }
}

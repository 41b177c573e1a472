import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { START } from '../../domain/shared/recorded.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { listTargets, schemaOf } from '../../projections/engine/checkpoints.ts'
import { type Core, openCore } from '../../server/core.ts'
import { startLogProcess } from '../drills/log-child.ts'
import type { Extent, Report } from './extent.ts'
import { median, perSecond, ratio } from './figures.ts'
import { migrate } from './projecting.ts'
import { projectorOf } from './projector.ts'
import { writeMix } from './rebuild/mix-log.ts'
import { bareCopy } from './rebuild/peers.ts'
import type { Store } from './store.ts'

const EVENTS = 100_000
const CAUGHT_UP_MS = 240_000

/**
 * A projector of its own whose live read models, all of the product, are so many events of the realistic mix behind: from its start
 * until all of them are at the head. Beside it a bare COPY of the rows that it makes.
 */
export async function benchBehind({ postgres, app }: Store, extent: Extent, report: Report): Promise<void> {
  const events = Math.min(EVENTS, extent.events)
  await migrate(app)
  const secrets = { masterKey: randomBytes(32), emailPepper: 'bench', mediaSecret: 'bench' }
  await postgres.createDatabase('behind')
  const table = postgres.clientConfig('behind')
  // It makes its tables.
  await (await startLogProcess(table, 0)).kill()
  await writeWith(app, secrets.masterKey, table, events)
  const log = await startLogProcess(table, 0)
  const core = await openCore({ database: app, log: log.connectionString, secrets })
  try {
    await caughtUp(core)
    const [own, bare]: [number[], number[]] = [[], []]
    const { rows } = await core.storage.pool.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    )
    const tables = allProjections.flatMap((one) => one.tables.map(({ name }) => name))
    for (let round = 0; round < extent.rounds; round++) {
      await setBack(core.storage.pool)
      own.push(events / (await caughtUp(core)))
      const { seconds } = await bareCopy(core.storage.pool, tables, rows[0]!.folder)
      bare.push(events / seconds)
    }
    report({
      what: `projector ${events.toLocaleString('en')} events behind, ${allProjections.length} read models`,
      value: `${perSecond(median(own))} events`,
      against: `a bare COPY of their rows ${perSecond(median(bare))}`,
      ratio: ratio(median(own), median(bare)),
    })
  } finally {
    await core.close()
    await log.kill()
  }
}

async function writeWith(app: pg.ClientConfig, masterKey: Buffer, table: pg.ClientConfig, events: number) {
  const pool = new pg.Pool(app)
  await writeMix(table, createKeyRing(pool, masterKey), events).finally(() => pool.end())
}

/** In seconds, from the start of a projector. */
async function caughtUp(core: Core): Promise<number> {
  const projector = projectorOf(core)
  const head = await core.log.head()
  const startedAt = performance.now()
  try {
    await projector.start()
    if (!(await projector.waitFor(head, undefined, CAUGHT_UP_MS))) throw new Error('The read models did not catch up.')
    return (performance.now() - startedAt) / 1_000
  } finally {
    await projector.stop()
  }
}

/** Live tables as they were before the first event. */
async function setBack(pool: pg.Pool): Promise<void> {
  for (const target of await listTargets(pool)) {
    const schema = schemaOf(target)
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1`,
      [schema],
    )
    await pool.query(`truncate ${rows.map(({ name }) => name).join()}`)
  }
  await pool.query(`update app.projection_checkpoint set position = '${START}', clock = null`)
  await pool.query('delete from app.quarantine')
  await pool.query('vacuum analyze app.projection_checkpoint')
}

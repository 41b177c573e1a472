import type pg from 'pg'
import { hours } from '../../../domain/shared/dates.ts'
import type { Clock } from '../../../services/clock.ts'
import { errorFields, type Logger } from '../../../services/log.ts'
import type { Sweepable } from '../../../services/sweep.ts'
import {
  bytesOf,
  comesUnseen,
  endWrittenAhead,
  LARGEST,
  markTransaction,
  mayRemakeSamples,
  remakeTable,
  SAMPLES,
  withShortLocks,
} from './table-files.ts'

type Deps = {
  readonly pool: pg.Pool
  readonly now: Clock
  readonly logger: Logger
  /** Tables that are larger, in bytes, are left to the operator. */
  readonly largest?: number
  /** How long an old transaction is waited for in one round. */
  readonly waitMs?: number
}
/** It ends with the signal, or with the table that it is at. */
type Round = Deps & { readonly signal: AbortSignal | undefined }

/** Hours of the server's clock in which few are there. */
const NIGHT = { from: 2, to: 5 }
const ONCE_IN_MS = hours(20)
const LOCK_NAME = 'reclaim'

/**
 * Clears what rows of erased members left in the files of Postgres (decision 0008). What was written ahead goes soon after
 * an erasure; the free space inside tables at night, since making a table anew locks it. One process does it for all.
 */
export function createReclaiming(deps: Deps): Sweepable {
  return {
    async sweep(signal) {
      const client = await deps.pool.connect()
      try {
        const { rows } = await client.query<{ locked: boolean }>(
          'select pg_try_advisory_lock(hashtext($1)) as locked',
          [LOCK_NAME],
        )
        if (!rows[0]!.locked) return 0
        return await reclaim({ ...deps, signal }, client).finally(() =>
          client.query('select pg_advisory_unlock(hashtext($1))', [LOCK_NAME]),
        )
      } finally {
        client.release()
      }
    },
  }
}

async function reclaim(deps: Round, client: pg.PoolClient): Promise<number> {
  const erasedAt = await newestErasure(client)
  if (!erasedAt) return 0
  let done = 0
  if (await isDue(client, 'wal', erasedAt)) {
    await clearWrittenAhead(deps, client)
    await note(client, 'wal', erasedAt, deps.now())
    done++
  }
  if (isNight(deps.now())) done += await remakeTables(deps, client, erasedAt)
  return done
}

const isNight = (now: Date) => now.getHours() >= NIGHT.from && now.getHours() < NIGHT.to

/** That came to its end. */
async function newestErasure(client: pg.ClientBase): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('select max(settled_at) as at from app.destroyed_key')
  return rows[0]!.at
}

/** Somebody was erased since the last time, which is longer ago than `before`. */
async function isDue(client: pg.ClientBase, what: string, erasedAt: Date, before?: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from app.reclaimed where what = $1 and (up_to >= $2 or done_at > coalesce($3, 'infinity'::timestamptz))`,
    [what, erasedAt, before ?? null],
  )
  return rowCount === 0
}

async function note(client: pg.ClientBase, what: string, upTo: Date, at: Date): Promise<void> {
  await client.query(
    `insert into app.reclaimed (what, up_to, done_at) values ($1, $2, $3)
     on conflict (what) do update set up_to = excluded.up_to, done_at = excluded.done_at`,
    [what, upTo, at],
  )
}

async function clearWrittenAhead({ logger }: Deps, client: pg.ClientBase): Promise<void> {
  if (await endWrittenAhead(client))
    logger.info('What Postgres had written ahead is cleared after an erasure.', { kind: 'reclaim', name: 'wal' })
  else
    logger.warn('This user of Postgres may not clear what was written ahead; the server does it in its own time.', {
      kind: 'reclaim',
      name: 'wal',
    })
}

type Table = { readonly name: string; readonly bytes: number }

/** The smallest first. What has changed in them, no statistics show after a crash. */
const TABLES = `
  select format('%I.%I', schemaname, relname) as name, pg_total_relation_size(relid)::float8 as bytes
  from pg_stat_user_tables where schemaname = 'app' or schemaname ~ '^p_'
  order by bytes, name`
/** What a table is called in `app.reclaimed`. */
const noteOf = (table: string) => `table ${table}`

/** Each table is noted once it was made anew; one that could not be is tried again in the next round of a night. */
async function remakeTables(deps: Round, client: pg.ClientBase, erasedAt: Date): Promise<number> {
  const due = await dueTables(deps, client, erasedAt)
  if (due.length === 0) return 0
  const isUnseen = await comesUnseen(client, await markTransaction(client), deps.waitMs, deps.signal)
  if (deps.signal?.aborted) return 0
  if (!isUnseen) {
    deps.logger.warn('An old transaction is open, so erased rows stay in tables; the next round tries again.', {
      kind: 'reclaim',
      name: 'tables',
    })
    return 0
  }
  const done = await remakeAll(deps, client, due, (name) => note(client, noteOf(name), erasedAt, deps.now()))
  if (done > 0) await clearWrittenAhead(deps, client)
  return done
}

async function dueTables({ now }: Deps, client: pg.ClientBase, erasedAt: Date): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES)
  if (await mayRemakeSamples(client)) rows.push({ name: SAMPLES, bytes: await bytesOf(client, SAMPLES) })
  const names = rows.map(({ name }) => noteOf(name))
  await client.query(`delete from app.reclaimed where what like 'table %' and what <> all($1)`, [names])
  const before = new Date(now().getTime() - ONCE_IN_MS)
  const due: Table[] = []
  for (const table of rows) if (await isDue(client, noteOf(table.name), erasedAt, before)) due.push(table)
  return due
}

async function remakeAll(
  { logger, largest = LARGEST, signal }: Round,
  client: pg.ClientBase,
  due: readonly Table[],
  noted: (name: string) => Promise<void>,
): Promise<number> {
  let done = 0
  await withShortLocks(client, async () => {
    for (const { name, bytes } of due) {
      if (signal?.aborted) break
      const gone = bytes <= largest && (await remake(logger, client, name))
      if (gone) done++
      // A large one is the operator's: it is named once for each erasure.
      if (gone || bytes > largest) await noted(name)
      if (bytes > largest)
        logger.info('This large table keeps space that erased rows left. VACUUM (FULL) in a quiet hour clears it.', {
          kind: 'reclaim',
          name,
        })
    }
  })
  logger.info('Tables were made anew without the space that erased rows left.', { kind: 'reclaim', count: done })
  return done
}

/** Whether it was free. */
async function remake(logger: Logger, client: pg.ClientBase, name: string): Promise<boolean> {
  try {
    await remakeTable(client, name)
    return true
  } catch (error) {
    logger.warn('A table is in use and keeps space that erased rows left; the next round of a night tries again.', {
      kind: 'reclaim',
      name,
      ...errorFields(error),
    })
    return false
  }
}

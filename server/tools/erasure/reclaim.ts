import type pg from 'pg'
import { hours } from '../../../domain/shared/dates.ts'
import type { Clock } from '../../../services/clock.ts'
import { errorFields, type Logger } from '../../../services/log.ts'
import type { Sweepable } from '../../../services/sweep.ts'

type Deps = {
  readonly pool: pg.Pool
  readonly now: Clock
  readonly logger: Logger
  /** Tables that are larger, in bytes, are left to the operator. */
  readonly largest?: number
}

const LARGEST = 64 * 1024 * 1024
/** Whoever reads or writes a table waits no longer than this for it, and for no table that is in use. */
const LOCK_TIMEOUT_MS = 200
const STATEMENT_TIMEOUT_MS = 3_000
/** Hours of the server's clock in which few are there. */
const NIGHT = { from: 2, to: 5 }
const ONCE_IN_MS = hours(20)
const LOCK_NAME = 'reclaim'
const NOT_ALLOWED = '42501'

/**
 * Clears what rows of erased members left in the files of Postgres (decision 0008). What was written ahead goes soon after
 * an erasure; the free space inside tables at night, since making a table anew locks it. One process does it for all.
 */
export function createReclaiming(deps: Deps): Sweepable {
  return {
    async sweep() {
      const client = await deps.pool.connect()
      try {
        const { rows } = await client.query<{ locked: boolean }>(
          'select pg_try_advisory_lock(hashtext($1)) as locked',
          [LOCK_NAME],
        )
        if (!rows[0]!.locked) return 0
        return await reclaim(deps, client).finally(() =>
          client.query('select pg_advisory_unlock(hashtext($1))', [LOCK_NAME]),
        )
      } finally {
        client.release()
      }
    },
  }
}

async function reclaim(deps: Deps, client: pg.PoolClient): Promise<number> {
  const erasedAt = await newestErasure(client)
  if (!erasedAt) return 0
  let done = 0
  if (await isDue(client, 'wal', erasedAt)) {
    await endWrittenAhead(deps, client)
    await note(client, 'wal', erasedAt, deps.now())
    done++
  }
  if (isNight(deps.now()) && (await isDue(client, 'tables', erasedAt, new Date(deps.now().getTime() - ONCE_IN_MS)))) {
    done += await remakeTables(deps, client)
    await endWrittenAhead(deps, client)
    await note(client, 'tables', erasedAt, deps.now())
  }
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

/** Twice: the first checkpoint lets go of the file before, the second one of its own. */
async function endWrittenAhead({ logger }: Deps, client: pg.ClientBase): Promise<void> {
  try {
    for (let round = 0; round < 2; round++) {
      await client.query('select pg_switch_wal()')
      await client.query('checkpoint')
    }
    logger.info('What Postgres had written ahead is cleared after an erasure.', { kind: 'reclaim', name: 'wal' })
  } catch (error) {
    if ((error as { code?: string }).code !== NOT_ALLOWED) throw error
    logger.warn('This user of Postgres may not clear what was written ahead; the server does it in its own time.', {
      kind: 'reclaim',
      name: 'wal',
    })
  }
}

type Table = { readonly name: string; readonly bytes: number }

/** The smallest first. What has changed in them, no statistics say after a crash. */
const TABLES = `
  select format('%I.%I', schemaname, relname) as name, pg_total_relation_size(relid)::float8 as bytes
  from pg_stat_user_tables where schemaname = 'app' or schemaname ~ '^p_'
  order by bytes, name`

async function remakeTables({ logger, largest = LARGEST }: Deps, client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<Table>(TABLES)
  const small = rows.filter(({ bytes }) => bytes <= largest)
  const skipped = rows.filter(({ bytes }) => bytes > largest).map(({ name }) => name)
  let done = 0
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}; set statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
  try {
    for (const { name } of small) {
      const gone = await remake(client, name).catch((error: unknown) => {
        skipped.push(name)
        logger.warn('A table could not be made anew; the next night tries again.', {
          kind: 'reclaim',
          name,
          ...errorFields(error),
        })
        return false
      })
      if (gone) done++
    }
  } finally {
    await client.query('reset lock_timeout; reset statement_timeout')
  }
  logger.info('Tables were made anew without the space that erased rows left.', { kind: 'reclaim', count: done })
  for (const name of skipped)
    logger.info('This table keeps such space: it is large or in use. VACUUM (FULL) in a quiet hour clears it.', {
      kind: 'reclaim',
      name,
    })
  return done
}

async function remake(client: pg.ClientBase, name: string): Promise<boolean> {
  await client.query(`vacuum (full) ${name}`)
  return true
}

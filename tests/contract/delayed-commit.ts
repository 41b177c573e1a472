import pg from 'pg'
import type { FreshDatabase } from '../support/fresh-database.ts'
import { until } from '../support/until.ts'

const KEY = 4242

/** Every commit of events waits for a lock at its very end: all its rows are written, none can be seen yet. */
const DELAY_COMMITS = `
  create function log.wait_for_release() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${KEY}); return null; end $$;
  create constraint trigger delay after insert on log.event
    deferrable initially deferred for each row execute function log.wait_for_release()`

const WAITING_BACKEND = `
  select pid from pg_locks where locktype = 'advisory' and objid = ${KEY} and not granted
    and database = (select oid from pg_database where datname = current_database())`

export type DelayedCommits = {
  /** Resolves with the writer's backend once it stands in the middle of a commit. */
  waiting(): Promise<number>
  release(): Promise<void>
}

/** Delays every commit of the log from here on. */
export async function delayCommits(database: FreshDatabase): Promise<DelayedCommits> {
  await database.run(DELAY_COMMITS)
  const holder = new pg.Client(database.config)
  await holder.connect()
  await holder.query(`select pg_advisory_lock(${KEY})`)
  return {
    waiting: () => until('a commit waits', async () => (await database.run(WAITING_BACKEND)).rows[0]?.pid as number),
    release: () => holder.end(),
  }
}

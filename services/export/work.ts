import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { addMs, hours, minutes } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type AppDb, inTransaction } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import type { ExportFiles } from './files.ts'
import { removeReplaced } from './replaced.ts'

/** A finished copy can be had for so long (security §3.3). */
export const EXPORT_MS = hours(48)
/** Taken work is another process' to take only after this long without a sign of life. */
export const LEASE_MS = minutes(1)
/** An export that fails this often is given up. */
export const TRIES = 5
const MAIL_AGAIN_MS = minutes(5)

/** An export that this process alone prepares, until another takes it: `tries` is one more then. */
export type ExportJob = { readonly id: string; readonly member: MemberId; readonly tries: number }
export const isLastTry = ({ tries }: ExportJob): boolean => tries >= TRIES

/**
 * The work on exports, by any number of processes: a row states what is to be done, its outcome and the mail that is owed
 * for it, so that nothing is forgotten whatever dies; the job of the same id has a worker look at it.
 */
export type ExportWork = {
  /** Unless it is another process', or not due. */
  take(id: string): Promise<ExportJob | null>
  /** Also a sign of life. False when it is not this process' to prepare any more, or its member was erased. */
  progress(taken: ExportJob, done: number, total: number): Promise<boolean>
  /** Stores the bytes, in place of the member's copy before; false when the job is no longer this process', and then no byte of these stays. */
  store(taken: ExportJob, source: Readable, signal: AbortSignal): Promise<boolean>
  /** It comes again later; after the last try it is given up. */
  failed(taken: ExportJob): Promise<void>
  /** Leaves it to whoever comes next, as at a stop in good order. */
  release(taken: ExportJob): Promise<void>
  /** A finished export whose member has had no mail about it. */
  takeMail(id: string): Promise<{ readonly id: string; readonly member: MemberId } | null>
  mailed(id: string): Promise<void>
  /** In how many milliseconds something is to be done for it; null when all is done. */
  waits(id: string): Promise<number | null>
}

type Deps = { db: AppDb; now: Clock; files: ExportFiles }

export function createExportWork(deps: Deps): ExportWork {
  const { db, now } = deps
  return {
    async take(id) {
      const at = now()
      const { rows } = await sql<{ id: string; member: MemberId; tries: number }>`
        update data_export set tries = tries + 1, due_at = ${addMs(at, LEASE_MS)}
        where id = ${id} and state = 'preparing' and due_at <= ${at}
        returning id, member, tries`.execute(db)
      return rows[0] ?? null
    },
    async progress(taken, done, total) {
      const set = ownJob(db, taken).set({ done, total, due_at: addMs(now(), LEASE_MS) })
      return (await set.executeTakeFirst()).numUpdatedRows > 0n
    },
    store: (taken, source, signal) => store(deps, taken, source, signal),
    async failed(taken) {
      const next = isLastTry(taken)
        ? { state: 'failed' }
        : { due_at: addMs(now(), 1_000 * 2 ** taken.tries), done: 0, total: 0 }
      await ownJob(db, taken).set(next).execute()
    },
    async release(taken) {
      await ownJob(db, taken).set({ due_at: now(), tries: sql`greatest(tries - 1, 0)` }).execute()
    },
    async takeMail(id) {
      const at = now()
      const { rows } = await sql<{ id: string; member: MemberId }>`
        update data_export set due_at = ${addMs(at, MAIL_AGAIN_MS)} where id = ${id} and mail_owed and due_at <= ${at}
        returning id, member`.execute(db)
      return rows[0] ?? null
    },
    async mailed(id) {
      await db.updateTable('data_export').set({ mail_owed: false }).where('id', '=', id).execute()
    },
    async waits(id) {
      const row = await db
        .selectFrom('data_export')
        .select('due_at')
        .where('id', '=', id)
        .where((where) => where.or([where('state', '=', 'preparing'), where('mail_owed', '=', true)]))
        .executeTakeFirst()
      return row ? row.due_at.getTime() - now().getTime() : null
    },
  }
}

/** The row while it is this process' to prepare. */
const ownJob = (db: AppDb, { id, tries }: ExportJob) =>
  db.updateTable('data_export').where('id', '=', id).where('state', '=', 'preparing').where('tries', '=', tries)

async function store(
  { db, now, files }: Deps,
  taken: ExportJob,
  source: Readable,
  signal: AbortSignal,
): Promise<boolean> {
  const { bytes, keep, drop } = await files.write(taken.id, source, signal)
  const at = now()
  const ready = { state: 'ready', bytes, ready_at: at, expires_at: addMs(at, EXPORT_MS), mail_owed: true, due_at: at }
  try {
    const stored = await inTransaction(db, async (tx) => {
      const { numUpdatedRows } = await ownJob(tx, taken).set(ready).executeTakeFirst()
      // While the row is locked: nobody else finishes it, or removes it and its bytes, in between.
      if (numUpdatedRows > 0n) await keep()
      return numUpdatedRows > 0n
    })
    // What it does not come to now the sweep does.
    if (stored) await removeReplaced(db, files, taken.member).catch(() => undefined)
    return stored
  } finally {
    // Quiet for what was kept.
    await drop()
  }
}

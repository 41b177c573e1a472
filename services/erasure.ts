import { sql } from 'kysely'
import type { AddressId, MemberId } from '../domain/shared/ids.ts'
import type { AppDb } from './app-db.ts'
import type { ErasedLedger } from './erased-ledger.ts'
import type { Mailbox } from './mailbox.ts'

/** Whose rows: `emailKey` is null once the address is free. `address`: the id under which it was the member's, once that is over. */
export type Traced = {
  readonly member: MemberId
  readonly emailKey: string | null
  readonly address?: AddressId | null
}

/**
 * Every column of schema `app` by which a row is a member's own. `exact`: the id or the address's key itself. `within`:
 * a key that has it as a part. `elsewhere`: others remove those rows and the certificate counts them.
 */
export const PERSONAL_COLUMNS = [
  { table: 'session', column: 'member', by: 'member', holds: 'exact', elsewhere: true },
  { table: 'media', column: 'owner', by: 'member', holds: 'exact', elsewhere: true },
  { table: 'removed_media', column: 'owner', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'position', column: 'member', by: 'member', holds: 'exact', elsewhere: true },
  { table: 'idempotent_answer', column: 'member', by: 'member', holds: 'exact', elsewhere: true },
  { table: 'data_export', column: 'member', by: 'member', holds: 'exact', elsewhere: true },
  { table: 'credential', column: 'member', by: 'member', holds: 'exact', elsewhere: true },
  { table: 'second_factor', column: 'member', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'recovery_code', column: 'member', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'undo_link', column: 'member', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'sign_in_challenge', column: 'member', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'address', column: 'id', by: 'address', holds: 'exact', elsewhere: true },
  { table: 'known_device', column: 'email_key', by: 'emailKey', holds: 'exact', elsewhere: true },
  { table: 'login_guard', column: 'key', by: 'emailKey', holds: 'within', elsewhere: false },
  { table: 'code', column: 'email_key', by: 'emailKey', holds: 'exact', elsewhere: false },
  { table: 'code_failure', column: 'email_key', by: 'emailKey', holds: 'exact', elsewhere: false },
  { table: 'signup_proof', column: 'email_key', by: 'emailKey', holds: 'exact', elsewhere: false },
  { table: 'rate', column: 'key', by: 'emailKey', holds: 'within', elsewhere: false },
  { table: 'rate', column: 'key', by: 'member', holds: 'within', elsewhere: false },
  { table: 'met', column: 'key', by: 'member', holds: 'within', elsewhere: false },
  { table: 'met', column: 'item', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'kept_block', column: 'member', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'restore_notice', column: 'member', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'owed_command', column: 'member', by: 'member', holds: 'exact', elsewhere: false },
  { table: 'snapshot', column: 'stream', by: 'member', holds: 'within', elsewhere: false },
] as const

type PersonalColumn = (typeof PERSONAL_COLUMNS)[number]

/** What an erasure reaches outside of the tables. */
export type ErasureTargets = {
  readonly ledger: ErasedLedger
  /** For ever; answers since when. */
  readonly destroyKey: (subject: string) => Promise<Date>
  /** Removes tables of read models that this release does not have, nor any process that is there. */
  readonly dropUnknown: () => Promise<void>
  /** Removes tables that follow nothing any more; answers which read models are behind, or have some that cannot go yet. */
  readonly dropUnfollowed: () => Promise<readonly string[]>
  /** The read models that have the end of this account in quarantine, and the member in their rows. */
  readonly listUnerased: (member: MemberId) => Promise<readonly string[]>
  /** Whether what these read models show is of this log, and not of what it was before it was set back. */
  readonly showLog: (models: readonly string[]) => Promise<boolean>
  /** The development mailbox; null where mail goes out. */
  readonly mailbox: Pick<Mailbox, 'list' | 'forget'> | null
}

/** What is removed of a member beside what the services of their sessions, files and places remove. */
export type Erasure = ErasureTargets & {
  /** Codes, proofs of sign-up, failures and counters. Answers the proofs, whose uploads are to go too. */
  forgetTraces(of: Traced): Promise<string[]>
  /** How many places were checked, and how many rows of the member's own are still in them. */
  look(of: Traced): Promise<{ places: number; left: number }>
  /** Nothing is left to do for a subject whose key is destroyed. */
  settle(subject: string): Promise<void>
  /** There is something to do again for a subject whose key is destroyed. */
  unsettle(subject: string): Promise<void>
  /** Whose keys are destroyed and who were not settled since. */
  listUnsettled(): Promise<string[]>
}

export function createErasure({ db, ...targets }: ErasureTargets & { db: AppDb }): Erasure {
  return {
    ...targets,
    async forgetTraces(of) {
      const proofs = of.emailKey
        ? await db.selectFrom('signup_proof').select('id').where('email_key', '=', of.emailKey).execute()
        : []
      await sql`select job.remove_job('send-owed:' || id) from owed_command where member = ${of.member}`.execute(db)
      for (const column of PERSONAL_COLUMNS) {
        const where = column.elsewhere ? null : whereOf(column, of)
        if (where) await sql`delete from ${sql.table(column.table)} where ${where}`.execute(db)
      }
      return proofs.map(({ id }) => id)
    },
    async look(of) {
      const counts = PERSONAL_COLUMNS.flatMap((column) => {
        const where = whereOf(column, of)
        return where ? [sql`(select count(*) from ${sql.table(column.table)} where ${where})`] : []
      })
      const { rows } = await sql<{ left: number }>`select ${sql.join(counts, sql` + `)} as left`.execute(db)
      return { places: counts.length, left: Number(rows[0]?.left ?? 0) }
    },
    async settle(subject) {
      const unsettled = db.updateTable('destroyed_key').where('subject', '=', subject).where('settled_at', 'is', null)
      await unsettled.set({ settled_at: sql`now()` }).execute()
    },
    async unsettle(subject) {
      await db.updateTable('destroyed_key').set({ settled_at: null }).where('subject', '=', subject).execute()
    },
    async listUnsettled() {
      const rows = await db.selectFrom('destroyed_key').select('subject').where('settled_at', 'is', null).execute()
      return rows.map(({ subject }) => subject)
    },
  }
}

function whereOf({ column, by, holds }: PersonalColumn, of: Traced) {
  const value = of[by] ?? null
  if (value === null) return null
  const name = sql.ref(column)
  return holds === 'exact' ? sql`${name} = ${value}` : sql`position(${value} in ${name}) > 0`
}

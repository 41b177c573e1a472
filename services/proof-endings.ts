import { hours } from '../domain/shared/dates.ts'
import type { AppDb } from './app-db.ts'
import type { Clock } from './clock.ts'
import { emptied, leaseEnd } from './proof-leases.ts'
import { hashToken } from './secrets.ts'

/** api-contract N1: how long a proof is good for; once it has ended, its row is kept as long. */
export const PROOF_MS = hours(2)
const BATCH = 100

/** A proof whose registration nobody can finish any more. */
export type LapsedProof = {
  readonly id: string
  readonly emailKey: string
  /** Of somebody under eighteen: it never becomes an account, however far it came. */
  readonly refused: boolean
  /** No registration can be at work on it any more: what is removed now stays removed. */
  readonly idle: boolean
}

/**
 * A proof that makes no account. Taking it for its end voids the lease of a registration that is at work on it, so that
 * none of its later steps is done; what one step does at that very moment is removed once a lease's time has passed
 * since: until then the proof is not `idle`, and is taken again. That it is over, refused and not ended is in the row,
 * so whoever dies while ending it is followed by the next sweep.
 */
export type ProofEndings = {
  /** Ends one whose visitor leaves: as if its two hours were over, so that whatever it began is ended like that of others. */
  lapse(token: string): Promise<void>
  /** Takes every unfinished proof of an address at once, also from a registration at work; e-mail and draft are dropped. */
  refuse(emailKey: string): Promise<LapsedProof[]>
  /**
   * Takes, oldest first, proofs that were past their two hours `before` without having made an account, with nobody at
   * work on them: a next batch until there is none. Nobody else takes them within a lease's time.
   */
  takeLapsed(before: Date, limit?: number): Promise<LapsedProof[]>
  /** Ends one of these, with its address and draft. */
  endLapsed(id: string): Promise<void>
  /** Removes what has ended, two hours after its time; those that lapsed are first to be ended. */
  sweep(): Promise<number>
}

type Deps = { db: AppDb; now: Clock }

export function createProofEndings({ db, now }: Deps): ProofEndings {
  return {
    async lapse(token) {
      await db
        .updateTable('signup_proof')
        .set({ expires_at: now() })
        .where('token_hash', '=', hashToken(token))
        .where('completed_at', 'is', null)
        .where('expires_at', '>', now())
        .execute()
    },
    refuse: (emailKey) =>
      db.transaction().execute(async (tx) => {
        const rows = await unfinished(tx).where('email_key', '=', emailKey).orderBy('id').forUpdate().execute()
        const { email, draft, google_key } = emptied(now())
        return take(tx, rows, now(), { refused: true, expires_at: now(), email, draft, google_key })
      }),
    takeLapsed: (before, limit = BATCH) =>
      db.transaction().execute(async (tx) => {
        const rows = await unfinished(tx)
          .where('expires_at', '<=', before)
          .where((where) => where.or([where('held_until', 'is', null), where('held_until', '<=', before)]))
          .orderBy('expires_at')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .execute()
        return take(tx, rows, now())
      }),
    async endLapsed(id) {
      await db.updateTable('signup_proof').set(emptied(now())).where('id', '=', id).execute()
    },
    async sweep() {
      const { numDeletedRows } = await db
        .deleteFrom('signup_proof')
        .where('expires_at', '<', new Date(now().getTime() - PROOF_MS))
        .where('completed_at', 'is not', null)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const unfinished = (tx: AppDb) =>
  tx
    .selectFrom('signup_proof')
    .select(['id', 'email_key', 'refused', 'held_by', 'held_until'])
    .where('completed_at', 'is', null)

type Row = { id: string; email_key: string; refused: boolean; held_by: string | null; held_until: Date | null }
type Ended = { refused: true; expires_at: Date; email: Buffer; draft: null; google_key: null }

/** A lease that nobody has: no registration goes on under it, and until it is over nobody knows that none does. */
async function take(tx: AppDb, rows: readonly Row[], at: Date, ended?: Ended): Promise<LapsedProof[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  await tx
    .updateTable('signup_proof')
    .set({ ...ended, held_by: null, held_until: leaseEnd(at) })
    .where('id', 'in', ids)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    emailKey: row.email_key,
    refused: ended !== undefined || row.refused,
    idle: row.held_by === null && (row.held_until === null || row.held_until <= at),
  }))
}

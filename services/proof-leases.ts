import { minutes } from '../domain/shared/dates.ts'
import type { AppDb } from './app-db.ts'
import type { Clock } from './clock.ts'
import { randomId } from './random-id.ts'
import { hashToken } from './secrets.ts'

/** After so long another request may take up a registration whose process stopped, and the sweep may end it. */
export const LEASE_MS = minutes(1)

/** The right of one registration to a proof, by the proof's id. */
export type ProofLease = { readonly proof: string; readonly lease: string }

export type ProofLeases = {
  /**
   * One registration at a time of a proof and of a Google account, whichever process works on it; an interrupted one is
   * taken up again. `busy`: another is at it. `over`: the proof is unknown, old, used or being ended. `as`: of whoever works
   * on it alone and takes up what it leased before.
   */
  lease(token: string, as?: string): Promise<{ ok: true; lease: string } | { ok: false; reason: 'busy' | 'over' }>
  /** Begins the lease's time again. False when another has the proof, or it is ended: then nothing may follow. */
  renew(token: string, lease: string): Promise<boolean>
  /** Lets the next one try. */
  release(token: string, lease: string): Promise<void>
  /** The account exists: address and draft are dropped. True for the holder of the lease alone. */
  complete(token: string, lease: string): Promise<boolean>
}

type Deps = { db: AppDb; now: Clock }

/** What is left of a proof that has ended: nothing of its owner but the keyed hash, until it is swept. */
export const emptied = (at: Date) => ({ completed_at: at, email: Buffer.alloc(0), draft: null, google_key: null })
export const leaseEnd = (at: Date) => new Date(at.getTime() + LEASE_MS)

/** In the transaction of a row that a registration writes: nobody ends the proof before it is written, nor has done so. */
export async function isLeased(tx: AppDb, { proof, lease }: ProofLease): Promise<boolean> {
  const row = await tx
    .selectFrom('signup_proof')
    .select('id')
    .where('id', '=', proof)
    .where('held_by', '=', lease)
    .where('completed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export function createProofLeases(deps: Deps): ProofLeases {
  const { db, now } = deps
  return {
    lease: (token, as = randomId()) => lease(deps, token, as),
    async renew(token, lease) {
      const { numUpdatedRows } = await leased(db, token, lease)
        .set({ held_until: leaseEnd(now()) })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async release(token, lease) {
      await leased(db, token, lease).set({ held_by: null, held_until: null }).execute()
    },
    async complete(token, lease) {
      const { numUpdatedRows } = await leased(db, token, lease).set(emptied(now())).executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

const leased = (db: AppDb, token: string, lease: string) =>
  db
    .updateTable('signup_proof')
    .where('token_hash', '=', hashToken(token))
    .where('held_by', '=', lease)
    .where('completed_at', 'is', null)

/**
 * Of any number at once one takes the proof, and one of those that are of the same Google account: their rows are locked in
 * one order, so that whoever comes second sees who came first.
 */
async function lease({ db, now }: Deps, token: string, mine: string): ReturnType<ProofLeases['lease']> {
  const at = now()
  return db.transaction().execute(async (tx) => {
    const sent = await tx
      .selectFrom('signup_proof')
      .select(['id', 'google_key'])
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirst()
    const rows = await tx
      .selectFrom('signup_proof')
      .select(['id', 'completed_at', 'expires_at', 'refused', 'held_by', 'held_until'])
      .where((where) => where.or([where('id', '=', sent?.id ?? ''), where('google_key', '=', sent?.google_key ?? '')]))
      .orderBy('id')
      .forUpdate()
      .execute()
    const own = rows.find(({ id }) => id === sent?.id)
    if (!own || own.completed_at || own.refused || own.expires_at <= at) return { ok: false, reason: 'over' }
    const others = rows.filter(({ held_by }) => held_by !== null && held_by !== mine)
    if (others.some(({ held_until }) => held_until && held_until > at)) return { ok: false, reason: 'busy' }
    await tx
      .updateTable('signup_proof')
      .set({ held_by: mine, held_until: leaseEnd(at) })
      .where('id', '=', own.id)
      .execute()
    return { ok: true, lease: mine }
  })
}

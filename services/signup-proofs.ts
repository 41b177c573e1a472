import type { Selectable } from 'kysely'
import { hours, minutes } from '../domain/shared/dates.ts'
import type { AppDb } from './app-db.ts'
import type { AppSchema } from './app-schema.ts'
import type { Clock } from './clock.ts'
import { randomId } from './random-id.ts'
import { createBox, hashToken, newToken } from './secrets.ts'

/** api-contract N1 */
export const PROOF_MS = hours(2)
export const DRAFT_BYTES = 64 * 1024
/** After so long another request may take up a registration whose process stopped. */
export const LEASE_MS = minutes(1)

/** Whoever has the token has read the mail at `email`. */
export type SignupProof = {
  /** Owns the visitor's uploads until the account exists. */
  id: string
  email: string
  emailKey: string
  /** Of whoever signed up with Google: their account needs no password. */
  googleKey: string | null
  /** What the wizard saved, or null. */
  draft: unknown
  expiresAt: Date
}

type Address = { email: string; emailKey: string; googleKey?: string | null }

export type SignupProofs = {
  issue(address: Address): Promise<{ token: string; id: string }>
  /** Null when unknown, past its two hours, or used for an account. */
  find(token: string): Promise<SignupProof | null>
  /**
   * Stores what `change` makes of the draft as it is then: of many changes at once none is lost. False when the proof is gone
   * or the draft becomes larger than 64 KiB.
   */
  changeDraft(token: string, change: (draft: unknown) => unknown): Promise<boolean>
  /**
   * One registration at a time of a proof and of a Google account, whichever process works on it; an interrupted one is
   * taken up again. `busy`: another is at it. `over`: the proof is unknown, old or used.
   */
  lease(token: string): Promise<{ ok: true; lease: string } | { ok: false; reason: 'busy' | 'over' }>
  /** Lets the next one try. */
  release(token: string, lease: string): Promise<void>
  /** The account exists: address and draft are dropped. True for the holder of the lease alone. */
  complete(token: string, lease: string): Promise<boolean>
  /** Ends a proof that makes no account. */
  cancel(token: string): Promise<void>
  /** Ends one whose visitor leaves: as if its two hours were over, so that whatever it began is ended like that of others. */
  lapse(token: string): Promise<void>
  /** Past their two hours without having made an account, with nobody at work on them. */
  listLapsed(): Promise<LapsedProof[]>
  /** Ends one of these, with its address and draft. */
  endLapsed(id: string): Promise<void>
  /** Removes what has ended, two hours after its time; those that lapsed are first to be ended. */
  sweep(): Promise<number>
}

/** A proof whose registration nobody can finish any more. */
export type LapsedProof = Pick<SignupProof, 'id' | 'emailKey'>

type Deps = { db: AppDb; now: Clock; masterKey: Buffer }
type ProofRow = Selectable<AppSchema['signup_proof']>

export function createSignupProofs(deps: Deps): SignupProofs {
  const { db, now } = deps
  const box = createBox(deps.masterKey, 'signup-proofs')

  function open(row: ProofRow): SignupProof {
    return {
      id: row.id,
      email: box.open(`email ${row.id}`, row.email).toString('utf8'),
      emailKey: row.email_key,
      googleKey: row.google_key,
      draft: row.draft ? JSON.parse(box.open(`draft ${row.id}`, row.draft).toString('utf8')) : null,
      expiresAt: row.expires_at,
    }
  }

  const isAlive = (row: ProofRow) => !row.completed_at && now() < row.expires_at

  return {
    issue: (address) => issue(deps, box, address),
    async find(token) {
      const row = await findRow(db, token)
      return row && isAlive(row) ? open(row) : null
    },
    changeDraft: (token, change) =>
      db.transaction().execute(async (tx) => {
        const row = await rowOf(tx, token).forUpdate().executeTakeFirst()
        if (!row || !isAlive(row)) return false
        const text = Buffer.from(JSON.stringify(change(open(row).draft) ?? null), 'utf8')
        if (text.length > DRAFT_BYTES) return false
        const draft = box.seal(`draft ${row.id}`, text)
        await tx.updateTable('signup_proof').set({ draft }).where('id', '=', row.id).execute()
        return true
      }),
    ...spending(deps),
    ...ending(deps),
  }
}

type Box = ReturnType<typeof createBox>

async function issue(
  { db, now }: Deps,
  box: Box,
  { email, emailKey, googleKey = null }: Address,
): ReturnType<SignupProofs['issue']> {
  const [id, token, at] = [randomId(), newToken(), now()]
  await db
    .insertInto('signup_proof')
    .values({
      id,
      token_hash: hashToken(token),
      email_key: emailKey,
      google_key: googleKey,
      email: box.seal(`email ${id}`, Buffer.from(email, 'utf8')),
      created_at: at,
      expires_at: new Date(at.getTime() + PROOF_MS),
    })
    .execute()
  return { token, id }
}

const rowOf = (db: AppDb, token: string) =>
  db.selectFrom('signup_proof').selectAll().where('token_hash', '=', hashToken(token))
const findRow = (db: AppDb, token: string) => rowOf(db, token).executeTakeFirst()

type Spending = Pick<SignupProofs, 'lease' | 'release' | 'complete' | 'cancel'>

function spending(deps: Deps): Spending {
  const { db, now } = deps
  return {
    lease: (token) => lease(deps, token),
    async release(token, lease) {
      await leased(db, token, lease).set({ held_by: null, held_until: null }).execute()
    },
    async complete(token, lease) {
      const { numUpdatedRows } = await leased(db, token, lease).set(emptied(now())).executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async cancel(token) {
      await db.updateTable('signup_proof').set(emptied(now())).where('token_hash', '=', hashToken(token)).execute()
    },
  }
}

function ending({ db, now }: Deps): Pick<SignupProofs, 'lapse' | 'listLapsed' | 'endLapsed' | 'sweep'> {
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
    async listLapsed() {
      const at = now()
      const rows = await db
        .selectFrom('signup_proof')
        .select(['id', 'email_key'])
        .where('completed_at', 'is', null)
        .where('expires_at', '<=', at)
        .where((where) => where.or([where('held_until', 'is', null), where('held_until', '<=', at)]))
        .orderBy('expires_at')
        .execute()
      return rows.map(({ id, email_key }) => ({ id, emailKey: email_key }))
    },
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

const emptied = (at: Date) => ({ completed_at: at, email: Buffer.alloc(0), draft: null, google_key: null })

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
async function lease({ db, now }: Deps, token: string): ReturnType<SignupProofs['lease']> {
  const at = now()
  const mine = randomId()
  return db.transaction().execute(async (tx) => {
    const sent = await findRow(tx, token)
    const rows = await tx
      .selectFrom('signup_proof')
      .select(['id', 'completed_at', 'expires_at', 'held_until'])
      .where((where) => where.or([where('id', '=', sent?.id ?? ''), where('google_key', '=', sent?.google_key ?? '')]))
      .orderBy('id')
      .forUpdate()
      .execute()
    const own = rows.find(({ id }) => id === sent?.id)
    if (!own || own.completed_at || own.expires_at <= at) return { ok: false, reason: 'over' }
    if (rows.some(({ held_until }) => held_until && held_until > at)) return { ok: false, reason: 'busy' }
    const until = new Date(at.getTime() + LEASE_MS)
    await tx.updateTable('signup_proof').set({ held_by: mine, held_until: until }).where('id', '=', own.id).execute()
    return { ok: true, lease: mine }
  })
}

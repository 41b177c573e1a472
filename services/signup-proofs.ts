import type { Selectable } from 'kysely'
import type { MasterKey } from '../domain/shared/master-key.ts'
import type { AppDb } from './app-db.ts'
import type { AppSchema } from './app-schema.ts'
import type { Clock } from './clock.ts'
import { createProofEndings, PROOF_MS, type ProofEndings } from './proof-endings.ts'
import { createProofLeases, type ProofLeases } from './proof-leases.ts'
import { randomId } from './random-id.ts'
import { createBox, hashToken, newToken } from './secrets.ts'

export const DRAFT_BYTES = 64 * 1024

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

export type SignupProofs = ProofLeases &
  ProofEndings & {
    issue(address: Address): Promise<{ token: string; id: string }>
    /** Null when unknown, past its two hours, used for an account, or refused. */
    find(token: string): Promise<SignupProof | null>
    /** One that has ended, or null; of one that was refused nothing is known. */
    findEnded(token: string): Promise<Pick<SignupProof, 'id'> | null>
    /**
     * Stores what `change` makes of the draft as it is then: of many changes at once none is lost. False when the proof is gone
     * or the draft becomes larger than 64 KiB.
     */
    changeDraft(token: string, change: (draft: unknown) => unknown): Promise<boolean>
  }

type Deps = { db: AppDb; now: Clock; masterKey: MasterKey }
type ProofRow = Selectable<AppSchema['signup_proof']>

/** In the transaction of a row that is a visitor's own: whoever ends their proof does so after it, and finds the row. */
export async function isOpenProof(tx: AppDb, id: string, at: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('signup_proof')
    .select('id')
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .where('refused', '=', false)
    .where('expires_at', '>', at)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

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

  const isAlive = (row: ProofRow) => !row.completed_at && !row.refused && now() < row.expires_at

  return {
    issue: (address) => issue(deps, box, address),
    async find(token) {
      const row = await findRow(db, token)
      return row && isAlive(row) ? open(row) : null
    },
    async findEnded(token) {
      const row = await findRow(db, token)
      return row?.completed_at && !row.refused ? { id: row.id } : null
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
    ...createProofLeases(deps),
    ...createProofEndings(deps),
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

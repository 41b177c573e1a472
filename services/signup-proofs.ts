import type { Selectable } from 'kysely'
import { hours } from '../domain/shared/dates.ts'
import type { AppDb } from './app-db.ts'
import type { AppSchema } from './app-schema.ts'
import type { Clock } from './clock.ts'
import { randomId } from './random-id.ts'
import { createBox, hashToken, newToken } from './secrets.ts'

/** api-contract N1 */
export const PROOF_MS = hours(2)
export const DRAFT_BYTES = 64 * 1024

/** Whoever holds the token has read the mail at `email`. */
export type SignupProof = {
  /** Owns the visitor's uploads until the account exists. */
  id: string
  email: string
  emailKey: string
  /** What the wizard saved, or null. */
  draft: unknown
  expiresAt: Date
  spent: boolean
}

export type SignupProofs = {
  issue(address: { email: string; emailKey: string }): Promise<{ token: string; id: string }>
  /** Null when unknown, past its two hours, or used for an account. */
  find(token: string): Promise<SignupProof | null>
  /** False when the proof is gone or the draft is larger than 64 KiB. */
  saveDraft(token: string, draft: unknown): Promise<boolean>
  /** The first command wins; the same one may come again after a crash, until `complete`. */
  spend(token: string, commandId: string): Promise<'ok' | 'spent' | 'expired'>
  /** Gives an unfinished proof back, so that the form can be sent again. */
  release(token: string, commandId: string): Promise<void>
  /** The account exists: address and draft are dropped. */
  complete(token: string): Promise<void>
  sweep(): Promise<number>
}

type Deps = { db: AppDb; now: Clock; masterKey: Buffer }

export function createSignupProofs(deps: Deps): SignupProofs {
  const { db, now } = deps
  const box = createBox(deps.masterKey, 'signup-proofs')

  function open(row: Selectable<AppSchema['signup_proof']>): SignupProof {
    return {
      id: row.id,
      email: box.open(`email ${row.id}`, row.email).toString('utf8'),
      emailKey: row.email_key,
      draft: row.draft ? JSON.parse(box.open(`draft ${row.id}`, row.draft).toString('utf8')) : null,
      expiresAt: row.expires_at,
      spent: row.spent_by !== null,
    }
  }

  return {
    async issue({ email, emailKey }) {
      const [id, token, at] = [randomId(), newToken(), now()]
      await db
        .insertInto('signup_proof')
        .values({
          id,
          token_hash: hashToken(token),
          email_key: emailKey,
          email: box.seal(`email ${id}`, Buffer.from(email, 'utf8')),
          created_at: at,
          expires_at: new Date(at.getTime() + PROOF_MS),
        })
        .execute()
      return { token, id }
    },
    async find(token) {
      const row = await findRow(db, token)
      return row && !row.completed_at && now() < row.expires_at ? open(row) : null
    },
    async saveDraft(token, draft) {
      const text = Buffer.from(JSON.stringify(draft ?? null), 'utf8')
      const row = await findRow(db, token)
      if (text.length > DRAFT_BYTES || !row) return false
      const { numUpdatedRows } = await db
        .updateTable('signup_proof')
        .set({ draft: box.seal(`draft ${row.id}`, text) })
        .where('id', '=', row.id)
        .where('completed_at', 'is', null)
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    ...spending(deps),
  }
}

const findRow = (db: AppDb, token: string) =>
  db.selectFrom('signup_proof').selectAll().where('token_hash', '=', hashToken(token)).executeTakeFirst()

function spending({ db, now }: Deps): Pick<SignupProofs, 'spend' | 'release' | 'complete' | 'sweep'> {
  return {
    async spend(token, commandId) {
      const at = now()
      const spent = await db
        .updateTable('signup_proof')
        .set({ spent_by: commandId })
        .where('token_hash', '=', hashToken(token))
        .where('completed_at', 'is', null)
        .where((where) =>
          where.or([
            where('spent_by', '=', commandId),
            where.and([where('spent_by', 'is', null), where('expires_at', '>', at)]),
          ]),
        )
        .returning('id')
        .executeTakeFirst()
      if (spent) return 'ok'
      return (await findRow(db, token))?.spent_by ? 'spent' : 'expired'
    },
    async release(token, commandId) {
      await db
        .updateTable('signup_proof')
        .set({ spent_by: null })
        .where('token_hash', '=', hashToken(token))
        .where('spent_by', '=', commandId)
        .where('completed_at', 'is', null)
        .execute()
    },
    async complete(token) {
      await db
        .updateTable('signup_proof')
        .set({ completed_at: now(), email: Buffer.alloc(0), draft: null })
        .where('token_hash', '=', hashToken(token))
        .execute()
    },
    async sweep() {
      const old = new Date(now().getTime() - PROOF_MS)
      const { numDeletedRows } = await db.deleteFrom('signup_proof').where('expires_at', '<', old).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

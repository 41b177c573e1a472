import { createHmac } from 'node:crypto'
import type { MemberId } from '../domain/shared/ids.ts'
import { normal } from '../domain/shared/normal.ts'
import { type AppDb, inTransaction } from './app-db.ts'
import type { Clock } from './clock.ts'
import { forgetAllFailures } from './limits/login-guard.ts'
import { isLeased, type ProofLease } from './proof-leases.ts'

/** Who signs in with what. `passwordHash` is null for an account without a password. */
export type Credential = {
  member: MemberId
  emailKey: string
  passwordHash: string | null
  passwordSetAt: Date | null
}

/** `googleKey`: whom Google knows the member as, where they signed up there. `under`: of whom it is a registration's. */
type NewCredential = {
  member: MemberId
  emailKey: string
  passwordHash: string | null
  googleKey?: string | null
  under?: ProofLease
}

export type Credentials = {
  /** HMAC-SHA256 of the trimmed, lower-cased address: 64 hex digits (security §3.3). */
  emailKey(email: string): string
  /**
   * Repeats are quiet; false when the address, the member or the Google account has another row, or when the registration
   * has lost its lease.
   */
  create(credential: NewCredential): Promise<boolean>
  findByEmail(email: string): Promise<Credential | null>
  findByKey(emailKey: string): Promise<Credential | null>
  findByMember(member: MemberId): Promise<Credential | null>
  findByGoogle(googleKey: string): Promise<Credential | null>
  /**
   * Makes links void that undo a second factor, and forgets the browsers that were signed in in before: one may be of whoever
   * knew the old password. False when the member has no row.
   */
  changePassword(member: MemberId, passwordHash: string): Promise<boolean>
  /** With what is kept by its address for signing in. */
  remove(member: MemberId): Promise<void>
}

export function createCredentials(deps: { db: AppDb; now: Clock; emailPepper: string }): Credentials {
  const { db, now } = deps
  const emailKey = (email: string) =>
    createHmac('sha256', deps.emailPepper).update(normal(email).trim().toLowerCase()).digest('hex')

  async function find(column: 'member' | 'email_key' | 'google_key', value: string): Promise<Credential | null> {
    const row = await db.selectFrom('credential').selectAll().where(column, '=', value).executeTakeFirst()
    if (!row) return null
    const { email_key, password_hash, password_set_at } = row
    const member = row.member as MemberId
    return { member, emailKey: email_key, passwordHash: password_hash, passwordSetAt: password_set_at }
  }

  return {
    emailKey,
    create: ({ member, emailKey, passwordHash, googleKey = null, under }) =>
      inTransaction(db, async (tx) => {
        if (under && !(await isLeased(tx, under))) return false
        const at = now()
        const row = { member, email_key: emailKey, password_hash: passwordHash, google_key: googleKey, created_at: at }
        await tx
          .insertInto('credential')
          .values({ ...row, password_set_at: passwordHash === null ? null : at })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        const stored = await tx.selectFrom('credential').select('email_key').where('member', '=', member).execute()
        return stored[0]?.email_key === emailKey
      }),
    findByEmail: (email) => find('email_key', emailKey(email)),
    findByKey: (key) => find('email_key', key),
    findByMember: (member) => find('member', member),
    findByGoogle: (googleKey) => find('google_key', googleKey),
    changePassword: (member, passwordHash) =>
      inTransaction(db, async (tx) => {
        const changed = await tx
          .updateTable('credential')
          .set({ password_hash: passwordHash, password_set_at: now() })
          .where('member', '=', member)
          .returning('email_key')
          .executeTakeFirst()
        await tx.deleteFrom('undo_link').where('member', '=', member).execute()
        if (changed) await tx.deleteFrom('known_device').where('email_key', '=', changed.email_key).execute()
        return changed !== undefined
      }),
    remove: (member) =>
      inTransaction(db, async (tx) => {
        const { email_key } = (await tx
          .deleteFrom('credential')
          .where('member', '=', member)
          .returning('email_key')
          .executeTakeFirst()) ?? { email_key: null }
        if (!email_key) return
        // What came by the address until this moment.
        await tx.deleteFrom('known_device').where('email_key', '=', email_key).execute()
        await tx.deleteFrom('code').where('email_key', '=', email_key).where('purpose', '=', 'reset').execute()
        await forgetAllFailures(tx, email_key)
      }),
  }
}

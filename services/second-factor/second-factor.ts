import { hours } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type AppDb, inTransaction } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { isErased } from '../erased.ts'
import { hashToken } from '../secrets.ts'
import { countCodes, renewCodes, spendRecoveryCode } from './recovery-codes.ts'
import { APP_CODE, newSecret, stepOf } from './totp.ts'

/** A secret that nobody confirms is forgotten after so long. */
export const UNCONFIRMED_MS = hours(1)

/** Seals by the key of a member, which dies with the account. */
export type MemberSeal = {
  seal(member: MemberId, context: string, plain: string): Promise<string>
  /** null once the key is destroyed. */
  open(member: MemberId, context: string, sealed: string): Promise<string | null>
}

/** The member's authenticator app, and the codes for who has lost it (ruling R37). */
export type SecondFactor = {
  isOn(member: MemberId): Promise<boolean>
  /** Since when it is on, and how many recovery codes are left; null while it is off. */
  find(member: MemberId): Promise<{ since: Date; recoveryCodes: number } | null>
  /** A new secret in base32, good for nothing until it is confirmed; null where one is on already. */
  begin(member: MemberId): Promise<string | null>
  /**
   * Turns it on by a code of the new secret and answers the recovery codes, once; null for a wrong code. Of the browsers that
   * are known, the one that does it stays: `device` is its token.
   */
  confirm(member: MemberId, code: string, device?: string): Promise<string[] | null>
  /** Uses up a code of the app or a recovery code; null for one that is wrong or was used. */
  spend(member: MemberId, code: string): Promise<'app' | 'recovery' | null>
  /** Whether a code is the app's of these moments, and too late to be spent: it, or one after it, was. Uses up nothing. */
  isUsed(member: MemberId, code: string): Promise<boolean>
  /** New recovery codes in place of the old; null while it is off. */
  renewCodes(member: MemberId): Promise<string[] | null>
  /** False where it was off. */
  turnOff(member: MemberId): Promise<boolean>
  /** Forgets secrets that were not confirmed. */
  sweep(): Promise<number>
}

type Deps = { db: AppDb; now: Clock; seal: MemberSeal }
const CONTEXT = 'second-factor'

export function createSecondFactor(deps: Deps): SecondFactor {
  const { db, now, seal } = deps
  return {
    isOn: (member) => isOn(db, member),
    async find(member) {
      const row = await rowOf(db, member)
      return row?.confirmed_at ? { since: row.confirmed_at, recoveryCodes: await countCodes(db, member) } : null
    },
    async begin(member) {
      const secret = newSecret()
      const fresh = { secret: await seal.seal(member, CONTEXT, secret), last_step: 0, started_at: now() }
      return inTransaction(db, async (tx) => {
        if (await isErased(tx, member)) return null
        const stored = await tx
          .insertInto('second_factor')
          .values({ member, ...fresh, confirmed_at: null })
          .onConflict((conflict) =>
            conflict.column('member').doUpdateSet(fresh).where('second_factor.confirmed_at', 'is', null),
          )
          .returning('member')
          .executeTakeFirst()
        return stored ? secret : null
      })
    },
    confirm: (member, code, device) => confirm(deps, member, code, device),
    async spend(member, code) {
      if (APP_CODE.test(code)) return (await spendAppCode(deps, member, code)) ? 'app' : null
      return (await spendRecoveryCode(db, member, code)) ? 'recovery' : null
    },
    async isUsed(member, code) {
      const given = await stepFor(deps, member, code)
      return Boolean(given?.confirmed_at && given.last_step >= given.step)
    },
    renewCodes: (member) => renew(db, member),
    turnOff: (member) => turnOff(db, member),
    async sweep() {
      const { numDeletedRows } = await db
        .deleteFrom('second_factor')
        .where('confirmed_at', 'is', null)
        .where('started_at', '<=', new Date(now().getTime() - UNCONFIRMED_MS))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

/** In the transaction of a session that is made: whether it wants a code first. */
export async function isOn(db: AppDb, member: MemberId): Promise<boolean> {
  return Boolean((await rowOf(db, member))?.confirmed_at)
}

const rowOf = (db: AppDb, member: MemberId) =>
  db.selectFrom('second_factor').selectAll().where('member', '=', member).executeTakeFirst()

/** The row, and the step of its secret that the code is of; null where it is of none. */
async function stepFor({ db, now, seal }: Deps, member: MemberId, code: string) {
  const row = await rowOf(db, member)
  const secret = row && (await seal.open(member, CONTEXT, row.secret))
  const step = secret ? stepOf(secret, code, now()) : null
  return row && step !== null ? { ...row, step } : null
}

/**
 * The credential is locked first: a session that is made without a code meanwhile is there before, and ends with the others,
 * or finds the factor on. Other browsers that signed in by the password alone are known no more: each has tries of its own.
 */
async function confirm(deps: Deps, member: MemberId, code: string, device = ''): Promise<string[] | null> {
  const { db, now } = deps
  const given = await stepFor(deps, member, code)
  const at = now()
  if (!given || at.getTime() - given.started_at.getTime() >= UNCONFIRMED_MS) return null
  return inTransaction(db, async (tx) => {
    const own = tx.selectFrom('credential').select('email_key').where('member', '=', member)
    const credential = await own.forUpdate().executeTakeFirst()
    if (!credential) return null
    const { numUpdatedRows } = await tx
      .updateTable('second_factor')
      .set({ confirmed_at: at, last_step: given.step })
      .where('member', '=', member)
      .where('confirmed_at', 'is', null)
      .where('secret', '=', given.secret)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return null
    await tx
      .deleteFrom('known_device')
      .where('email_key', '=', credential.email_key)
      .where('device_hash', '<>', hashToken(device))
      .execute()
    return renewCodes(tx, member)
  })
}

/** Each step's code is good once, and none of a step before it: one statement compares and sets. */
async function spendAppCode(deps: Deps, member: MemberId, code: string): Promise<boolean> {
  const given = await stepFor(deps, member, code)
  if (!given) return false
  const { numUpdatedRows } = await deps.db
    .updateTable('second_factor')
    .set({ last_step: given.step })
    .where('member', '=', member)
    .where('secret', '=', given.secret)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', given.step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function renew(db: AppDb, member: MemberId): Promise<string[] | null> {
  return inTransaction(db, async (tx) => {
    const factor = tx.selectFrom('second_factor').select('member').where('member', '=', member)
    const on = await factor.where('confirmed_at', 'is not', null).forUpdate().executeTakeFirst()
    return on ? renewCodes(tx, member) : null
  })
}

function turnOff(db: AppDb, member: MemberId): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('second_factor')
      .where('member', '=', member)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await tx.deleteFrom('recovery_code').where('member', '=', member).execute()
    return true
  })
}

import { randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { AppDb } from '../app-db.ts'
import { hashToken } from '../secrets.ts'

export const RECOVERY_CODES = 10
/** 120 random bits: a plain hash of so many is enough (ASVS 6.5.2). */
const CODE_BYTES = 15

/** Replaces the member's codes by new ones, which are shown this once; only their hashes are stored. */
export async function renewCodes(tx: AppDb, member: MemberId): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await tx.deleteFrom('recovery_code').where('member', '=', member).execute()
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ member, code_hash: hashOf(code) })))
    .execute()
  return codes
}

/** Uses a code up: of two at once one does. None is good while the factor is off. */
export async function spendRecoveryCode(db: AppDb, member: MemberId, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('member', '=', member)
    .where('code_hash', '=', hashOf(code))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('second_factor')
          .select('second_factor.member')
          .where('second_factor.member', '=', member)
          .where('confirmed_at', 'is not', null),
      ),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countCodes(db: AppDb, member: MemberId): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<string>().as('left'))
    .where('member', '=', member)
    .executeTakeFirstOrThrow()
  return Number(left)
}

/** Such as `k3mq-…`, in letters and digits that are not taken for one another. */
function newCode(): string {
  const { base32 } = new Secret({ buffer: Uint8Array.from(randomBytes(CODE_BYTES)).buffer })
  return base32.toLowerCase().replace(/(.{4})(?=.)/g, '$1-')
}

/** However it is written: in capitals, with spaces or without its dashes. */
const hashOf = (code: string) => hashToken(code.toLowerCase().replace(/[^a-z2-7]/g, ''))

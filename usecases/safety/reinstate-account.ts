import type { MemberId } from '../../domain/shared/ids.ts'
import { type ModerationRefused, type Operating, orderAccount } from './moderating.ts'

/** Lets a suspended member in again, deactivated where they were so before. */
export async function reinstateAccount(
  context: Operating,
  member: MemberId,
): Promise<{ ok: true } | ModerationRefused> {
  return orderAccount(context, { type: 'Reinstate', member, at: context.now() })
}

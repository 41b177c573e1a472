import type { Auditor } from '../../domain/audit/events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Auditing, type Looked, tryLook } from './record-look.ts'

/** Opens a member's sealed fields to this auditor for a while. `reason` is tidied already. */
export function reveal(
  context: Auditing,
  auditor: Auditor,
  { member, reason, commandId }: { member: MemberId; reason: string; commandId: string },
): Promise<Looked> {
  return tryLook(context, { type: 'RevealFields', auditor, member, reason, at: context.now() }, commandId)
}

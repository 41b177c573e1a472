import type { Auditor, View } from '../../domain/audit/events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Auditing, recordLook } from './record-look.ts'

/** Records a look before anything is shown: what cannot be recorded is not shown. */
export function noteView(context: Auditing, auditor: Auditor, member: MemberId, view: View): Promise<void> {
  return recordLook(context, { type: 'ViewAccount', auditor, member, view, at: context.now() })
}

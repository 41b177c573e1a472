import type { Auditor } from '../../domain/audit/events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Auditing, recordLook } from './record-look.ts'

/** Records that a history left the product, and how many events of it. */
export function noteExport(context: Auditing, auditor: Auditor, member: MemberId, events: number): Promise<void> {
  return recordLook(context, { type: 'ExportHistory', auditor, member, events, at: context.now() })
}

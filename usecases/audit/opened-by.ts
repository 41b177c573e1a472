import type { AuditCommand } from '../../domain/audit/commands.ts'
import { auditDecider } from '../../domain/audit/decider.ts'
import type { Auditor } from '../../domain/audit/events.ts'
import type { Auditing } from './record-look.ts'

/** The members whose sealed fields this auditor has open, each with until when. */
export async function openedBy(context: Auditing, auditor: Auditor): Promise<ReadonlyMap<string, Date>> {
  const id = auditDecider.streamId({ type: 'ViewAccount', auditor } as AuditCommand)
  const { revealed } = await context.loadState(auditDecider, id)
  const now = context.now()
  return new Map(Object.entries(revealed).filter(([, until]) => until > now))
}

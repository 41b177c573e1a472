import type { AuditCommand } from '../../domain/audit/commands.ts'
import { auditDecider } from '../../domain/audit/decider.ts'
import type { Ports } from '../ports.ts'

/** What an audit needs of a request; a tool brings the same. */
export type Auditing = Pick<Ports, 'note' | 'loadState' | 'now' | 'requestId'>

/** Records what an auditor does before they see anything of it. Throws where that cannot be recorded. */
export async function recordLook(
  context: Auditing,
  command: AuditCommand,
  commandId: string = crypto.randomUUID(),
): Promise<void> {
  const { auditor } = command
  const source = { commandId, actor: auditor, correlationId: context.requestId }
  const recorded = await context.note(auditDecider, command, source)
  if (!recorded.ok) throw new Error(`A look could not be recorded: ${recorded.reason}`)
}

import type { AuditCommand } from '../../domain/audit/commands.ts'
import { auditDecider } from '../../domain/audit/decider.ts'
import type { Refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/** What an audit needs of a request; a tool brings the same. */
export type Auditing = Pick<Ports, 'note' | 'loadState' | 'now' | 'requestId'>

/** A look under an id that another one has, and one that kept meeting others of the same auditor, show nothing. */
export type Looked = { readonly ok: true } | Refused<'conflict' | 'reused'>

/** Records what an auditor does before they see anything of it. */
export async function tryLook(context: Auditing, command: AuditCommand, commandId: string): Promise<Looked> {
  const { auditor } = command
  const source = { commandId, actor: auditor, correlationId: context.requestId }
  const recorded = await context.note(auditDecider, command, source)
  return recorded.ok ? { ok: true } : { ok: false, reason: recorded.reason }
}

/** The same for a look that has an id of its own. Throws where it cannot be recorded. */
export async function recordLook(context: Auditing, command: AuditCommand): Promise<void> {
  const recorded = await tryLook(context, command, crypto.randomUUID())
  if (!recorded.ok) throw new Error(`A look could not be recorded: ${recorded.reason}`)
}

import { addMs, minutes } from '../shared/dates.ts'
import { accept, type Decider, type Decision } from '../shared/decider.ts'
import type { AuditCommand } from './commands.ts'
import type { AuditEvent } from './events.ts'

/** How long one reason opens one member's sealed fields. */
export const REVEALED_MS = minutes(15)

/** By member: until when their sealed fields are open to this auditor. */
export type Audit = { readonly revealed: Readonly<Record<string, Date>> }

function evolve(audit: Audit, event: AuditEvent): Audit {
  if (event.type !== 'FieldsRevealed') return audit
  return { revealed: { ...audit.revealed, [event.member]: event.until } }
}

function decide(command: AuditCommand): Decision<AuditEvent, never> {
  const { auditor, at } = command
  if (command.type === 'SearchAccount')
    return accept({
      type: 'AccountSearched',
      auditor,
      asked: command.asked,
      address: command.address,
      found: command.found,
      at,
    })
  const facts = { auditor, member: command.member, at }
  switch (command.type) {
    case 'ViewAccount':
      return accept({ ...facts, type: 'AccountViewed', view: command.view })
    case 'RevealFields':
      return accept({ ...facts, type: 'FieldsRevealed', reason: command.reason, until: addMs(command.at, REVEALED_MS) })
    case 'ExportHistory':
      return accept({ ...facts, type: 'HistoryExported', events: command.events })
  }
}

/** What one auditor looked at. Nothing is refused here: who may audit is checked before the command. */
export const auditDecider: Decider<AuditCommand, AuditEvent, Audit, never> = {
  category: 'audit',
  streamId: ({ auditor }) => (auditor === 'admin:cli' ? 'cli' : auditor),
  initial: { revealed: {} },
  evolve,
  decide,
  ignores: ['AccountViewed', 'HistoryExported', 'AccountSearched'],
  impersonal: true,
}

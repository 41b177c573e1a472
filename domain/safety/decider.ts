import { addMs, hours } from '../shared/dates.ts'
import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import type { ReportId } from '../shared/ids.ts'
import type { SafetyCommand } from './commands.ts'
import type { SafetyEvent } from './events.ts'

/** Reports of one member about one other within this long are one case (api-contract C44). */
export const MERGE_MS = hours(24)

/** `sealed`: cases whose evidence can be read by whoever may. */
type Case = { readonly open: { report: ReportId; since: Date } | null; readonly sealed: readonly ReportId[] }
export type SafetyRefusal = 'self' | 'no-report'

function evolve(state: Case, event: SafetyEvent): Case {
  switch (event.type) {
    case 'MemberReported':
      return { open: { report: event.report, since: event.at }, sealed: [...state.sealed, event.report] }
    case 'ReportAmended':
      return state
    case 'ReportClosed':
      return { ...state, open: null }
    case 'EvidenceDestroyed':
      return { ...state, sealed: state.sealed.filter((report) => report !== event.report) }
  }
}

function decide(command: SafetyCommand, { open, sealed }: Case): Decision<SafetyEvent, SafetyRefusal> {
  if (command.by === command.target) return refuse('self')
  if (command.type === 'CloseReport') {
    const { by, target, outcome, at } = command
    return open ? accept({ type: 'ReportClosed', report: open.report, by, target, outcome, at }) : refuse('no-report')
  }
  if (command.type === 'DestroyEvidence') {
    const { type: _type, ...facts } = command
    return sealed.includes(facts.report) ? accept({ type: 'EvidenceDestroyed', ...facts }) : accept()
  }
  const { type: _report, ...facts } = command
  if (open && command.at < addMs(open.since, MERGE_MS))
    return accept({ ...facts, type: 'ReportAmended', report: open.report })
  return accept({ ...facts, type: 'MemberReported' })
}

/** What one member reported about one other; reports stay when the two unmatch or block (ruling R26, security T34). */
export const safetyDecider: Decider<SafetyCommand, SafetyEvent, Case, SafetyRefusal> = {
  category: 'report',
  streamId: (command) => `${command.by}_${command.target}`,
  initial: { open: null, sealed: [] },
  evolve,
  decide,
}

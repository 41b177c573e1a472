import { addMs, hours } from '../shared/dates.ts'
import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import type { ReportId } from '../shared/ids.ts'
import type { SafetyCommand } from './commands.ts'
import type { SafetyEvent } from './events.ts'

/** Reports of one member about one other within this long are one case (api-contract C44). */
export const MERGE_MS = hours(24)

type OpenCase = { readonly report: ReportId; readonly since: Date }
/** `open`: oldest first. `sealed`: cases whose evidence can be read by whoever may. */
type Cases = { readonly open: readonly OpenCase[]; readonly sealed: readonly ReportId[] }
export type SafetyRefusal = 'self' | 'no-report'

function evolve(state: Cases, event: SafetyEvent): Cases {
  switch (event.type) {
    case 'MemberReported':
      return {
        open: [...state.open, { report: event.report, since: event.at }],
        sealed: [...state.sealed, event.report],
      }
    case 'ReportAmended':
      return state
    case 'ReportClosed':
      return { ...state, open: state.open.filter(({ report }) => report !== event.report) }
    case 'EvidenceDestroyed':
      return { ...state, sealed: state.sealed.filter((report) => report !== event.report) }
  }
}

function decide(command: SafetyCommand, { open, sealed }: Cases): Decision<SafetyEvent, SafetyRefusal> {
  if (command.by === command.target) return refuse('self')
  if (command.type === 'CloseReport') {
    const { type: _type, ...facts } = command
    const isOpen = open.some(({ report }) => report === facts.report)
    return isOpen ? accept({ type: 'ReportClosed', ...facts }) : refuse('no-report')
  }
  if (command.type === 'DestroyEvidence') {
    const { type: _type, ...facts } = command
    return sealed.includes(facts.report) ? accept({ type: 'EvidenceDestroyed', ...facts }) : accept()
  }
  const { type: _report, ...facts } = command
  const latest = open.at(-1)
  if (latest && command.at < addMs(latest.since, MERGE_MS))
    return accept({ ...facts, type: 'ReportAmended', report: latest.report })
  return accept({ ...facts, type: 'MemberReported' })
}

/** What one member reported about one other; reports stay when the two unmatch or block (ruling R26, security T34). */
export const safetyDecider: Decider<SafetyCommand, SafetyEvent, Cases, SafetyRefusal> = {
  category: 'report',
  streamId: (command) => `${command.by}_${command.target}`,
  initial: { open: [], sealed: [] },
  evolve,
  decide,
  ignores: ['ReportAmended'],
  impersonal: true,
}

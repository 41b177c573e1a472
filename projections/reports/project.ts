import type { RecordedEvent } from '../../domain/all-events.ts'
import { valueOr } from '../../domain/shared/personal.ts'
import { type Change, fold, type Projection, patch, updateWhere } from '../projection.ts'
import { type ReportRow, report } from './table.ts'

function opened(event: RecordedEvent<'MemberReported'>): Change {
  const { report: id, by: reporter, target, at: opened_at, position } = event
  const reason = valueOr(event.reason, '')
  const fresh: ReportRow = {
    id,
    reporter,
    target,
    reason,
    evidence: true,
    opened_at,
    reports: 1,
    status: 'open',
    closed_at: null,
    position,
  }
  return fold(report, { id }, (row) => row ?? fresh)
}

type Later = RecordedEvent<'ReportAmended' | 'ReportClosed'>

/** An event that the row has seen already changes nothing. */
function step(event: Later, change: (row: ReportRow) => ReportRow): Change {
  const { report: id, position } = event
  return patch(report, { id }, (row) => (position > row.position ? { ...change(row), position } : row))
}

/** The cases of those who keep members safe; they outlive the members in them (ruling R26). */
export const reports: Projection = {
  name: 'reports',
  version: 3,
  readBy: 'operators',
  tables: [report],
  // Whatever of a case cannot be read, its words end in time.
  ahead: { EvidenceDestroyed: 1 },
  when: {
    MemberReported: (event) => [opened(event)],
    ReportAmended: (event) => [step(event, (row) => ({ ...row, reports: row.reports + 1 }))],
    ReportClosed: (event) => [step(event, (row) => ({ ...row, status: event.outcome, closed_at: event.at }))],
    // It passes over nothing: what it goes ahead of still changes the row.
    EvidenceDestroyed: ({ report: id }) => [patch(report, { id }, (row) => ({ ...row, reason: '', evidence: false }))],
    // The words are the reporter's, whichever keys they were sealed under.
    AccountErased: ({ member }) => [updateWhere(report, { reporter: member }, { reason: '' })],
  },
}

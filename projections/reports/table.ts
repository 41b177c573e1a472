import type { Table } from '../table.ts'

/** What one member reported about one other, from the first report to its close: a case (api-contract C44). */
export type ReportRow = {
  id: string
  reporter: string
  target: string
  /** The first report's words, empty once the case's key is destroyed or the reporter erased. */
  reason: string
  /** The case's key is there: the log has the evidence. */
  evidence: boolean
  opened_at: Date
  /** How often it was reported. */
  reports: number
  status: 'open' | 'no-action' | 'suspended'
  closed_at: Date | null
  position: string
}

export const report: Table<ReportRow> = {
  name: 'report',
  columns: {
    id: 'text collate "C" not null',
    reporter: 'text collate "C" not null',
    target: 'text collate "C" not null',
    reason: 'text not null',
    evidence: 'boolean not null',
    opened_at: 'timestamptz not null',
    reports: 'integer not null',
    status: 'text not null',
    closed_at: 'timestamptz',
    position: 'text collate "C" not null',
  },
  key: ['id'],
  unsampled: ['reason'],
  indexes: [
    { on: 'opened_at, id', where: "status = 'open'", serves: 'listOpenReports' },
    { on: 'target', serves: 'listOpenReportsAbout' },
    { on: 'opened_at, id', where: 'evidence', serves: 'listReportsWithEvidence' },
    { on: 'reporter', serves: 'an erasure' },
  ],
}

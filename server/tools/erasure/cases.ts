import { z } from 'zod'
import { MemberId, ReportId } from '../../../domain/shared/ids.ts'
import type { Log } from '../../../eventstore/log.ts'
import { quarantinedStreams } from '../../../projections/engine/care/quarantined-streams.ts'
import { isNotFilled } from '../../../projections/not-filled.ts'
import { reports } from '../../../projections/reports/project.ts'
import { listReportsWithEvidence } from '../../../projections/reports/queries.ts'
import type { ReportRow } from '../../../projections/reports/table.ts'
import type { Core } from '../../core.ts'

/** A case whose key is there, by whom it is and about whom. */
export type Case = { readonly id: ReportId; readonly by: MemberId; readonly target: MemberId }

type Deps = { readonly log: Pick<Log, 'pages'>; readonly storage: Pick<Core['storage'], 'pool' | 'read'> }

/**
 * Cases that were opened before, open or not, whose evidence can still be read: those of the read model, and those that are in
 * none of its rows, since the report is in quarantine there.
 */
export async function casesWithEvidence({ log, storage }: Deps, before: Date): Promise<Case[]> {
  const rows = await listReportsWithEvidence(storage.read, before).catch(noneYet)
  const found = new Map(rows.map(caseOf).map((one) => [one.id, one]))
  for (const stream of await quarantinedStreams(storage.pool, reports.name, 'MemberReported'))
    for (const one of await casesOf(log, stream, before)) found.set(one.id, one)
  return [...found.values()]
}

const caseOf = ({ id, reporter, target }: ReportRow): Case => ({
  id: id as ReportId,
  by: reporter as MemberId,
  target: target as MemberId,
})

/** What every version of these events has in the clear. */
const Opened = z.object({ report: ReportId, by: MemberId, target: MemberId, at: z.coerce.date() })
const Ended = Opened.pick({ report: true })

/** By the log alone: an event that cannot be decoded has a key too. */
async function casesOf(log: Deps['log'], stream: string, before: Date): Promise<Case[]> {
  const found = new Map<string, Case>()
  for await (const page of log.pages(stream)) {
    for (const { type, data } of page) {
      const opened = type === 'MemberReported' ? Opened.safeParse(data).data : undefined
      if (opened && opened.at < before)
        found.set(opened.report, { id: opened.report, by: opened.by, target: opened.target })
      const ended = type === 'EvidenceDestroyed' ? Ended.safeParse(data).data : undefined
      if (ended) found.delete(ended.report)
    }
  }
  return [...found.values()]
}

/** The round after they are filled finds the cases. */
function noneYet(error: unknown): [] {
  if (!isNotFilled(error)) throw error
  return []
}

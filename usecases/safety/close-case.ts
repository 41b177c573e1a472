import { safetyDecider } from '../../domain/safety/decider.ts'
import type { MemberId, ReportId } from '../../domain/shared/ids.ts'
import type { ReportRow } from '../../projections/reports/table.ts'
import { type Operating, sourceOf } from './moderating.ts'

/** Quiet when the case is closed already. */
export async function closeCase(
  context: Operating,
  { id, reporter, target }: Pick<ReportRow, 'id' | 'reporter' | 'target'>,
  outcome: 'no-action' | 'suspended',
): Promise<void> {
  const whose = { report: id as ReportId, by: reporter as MemberId, target: target as MemberId }
  const command = { type: 'CloseReport' as const, ...whose, outcome, at: context.now() }
  const closed = await context.dispatch(safetyDecider, command, sourceOf(context))
  if (!closed.ok && closed.reason !== 'no-report') throw new Error(`A case could not be closed: ${closed.reason}`)
}

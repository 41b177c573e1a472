import { safetyDecider } from '../../domain/safety/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReportRow } from '../../projections/reports/table.ts'
import { type Operating, sourceOf } from './moderating.ts'

/** Quiet when the case is closed already. */
export async function closeCase(
  context: Operating,
  { reporter, target }: Pick<ReportRow, 'reporter' | 'target'>,
  outcome: 'no-action' | 'suspended',
): Promise<void> {
  const [by, about] = [reporter as MemberId, target as MemberId]
  const command = { type: 'CloseReport' as const, by, target: about, outcome, at: context.now() }
  const closed = await context.dispatch(safetyDecider, command, sourceOf(context))
  if (!closed.ok && closed.reason !== 'no-report') throw new Error(`A case could not be closed: ${closed.reason}`)
}

import { randomUUID } from 'node:crypto'
import { safetyDecider } from '../../../domain/safety/decider.ts'
import { days } from '../../../domain/shared/dates.ts'
import type { MemberId, ReportId } from '../../../domain/shared/ids.ts'
import { listReportsWithEvidence } from '../../../projections/reports/queries.ts'
import type { ReportRow } from '../../../projections/reports/table.ts'
import type { Clock } from '../../../services/clock.ts'
import type { Erasure } from '../../../services/erasure.ts'
import type { Sweepable } from '../../../services/sweep.ts'
import type { Core } from '../../core.ts'

/** How long what was reported can be read, from the first report of a case on (security T34). */
export const EVIDENCE_MS = days(180)

type Deps = {
  readonly core: Pick<Core, 'dispatch' | 'storage'>
  readonly erasure: Pick<Erasure, 'ledger' | 'destroyKey' | 'settle'>
  readonly now: Clock
}

/**
 * Destroys the keys of old cases, open ones too, in the order of an erasure: the ledger, which no restore takes back;
 * the key; then the event, by which the read model and every process forget. The next round resumes an interrupted one. A case
 * that fails stops no other.
 */
export function createEvidenceSweep({ core, erasure, now }: Deps): Sweepable {
  return {
    async sweep() {
      const before = new Date(now().getTime() - EVIDENCE_MS)
      const old = await listReportsWithEvidence(core.storage.read, before).catch(noneYet)
      const failures: unknown[] = []
      for (const one of old) await end(one).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
      return old.length
    },
  }

  async function end({ id, reporter, target }: ReportRow): Promise<void> {
    await erasure.ledger.add([id])
    await erasure.destroyKey(id)
    const facts = { report: id as ReportId, by: reporter as MemberId, target: target as MemberId, at: now() }
    const command = { type: 'DestroyEvidence' as const, ...facts }
    const outcome = await core.dispatch(safetyDecider, command, { commandId: randomUUID(), actor: 'system' })
    if (!outcome.ok) throw new Error(`The end of the evidence of a case could not be recorded: ${outcome.reason}.`)
    await erasure.settle(id)
  }
}

const UNDEFINED_COLUMN = '42703'

/** Readers have the tables of the release before until those of this one are filled; then the next round finds the cases. */
function noneYet(error: unknown): ReportRow[] {
  if ((error as { code?: unknown }).code !== UNDEFINED_COLUMN) throw error
  return []
}

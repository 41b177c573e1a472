import { randomUUID } from 'node:crypto'
import { safetyDecider } from '../../../domain/safety/decider.ts'
import { days } from '../../../domain/shared/dates.ts'
import type { Clock } from '../../../services/clock.ts'
import type { Erasure } from '../../../services/erasure.ts'
import type { Sweepable } from '../../../services/sweep.ts'
import type { Core } from '../../core.ts'
import { type Case, casesWithEvidence } from './cases.ts'

/** How long what was reported can be read, from the first report of a case on (security T34). */
export const EVIDENCE_MS = days(180)

type Deps = {
  readonly core: Pick<Core, 'dispatch' | 'log' | 'storage'>
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
      const old = await casesWithEvidence(core, before)
      const failures: unknown[] = []
      for (const one of old) await end(one).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
      return old.length
    },
  }

  async function end({ id, by, target }: Case): Promise<void> {
    await erasure.ledger.add([id])
    await erasure.destroyKey(id)
    const command = { type: 'DestroyEvidence' as const, report: id, by, target, at: now() }
    const outcome = await core.dispatch(safetyDecider, command, { commandId: randomUUID(), actor: 'system' })
    if (!outcome.ok) throw new Error(`The end of the evidence of a case could not be recorded: ${outcome.reason}.`)
    await erasure.settle(id)
  }
}

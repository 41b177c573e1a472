import type { Sweepable } from '../../../services/sweep.ts'
import { endUnfinished } from '../../../usecases/register/end-unfinished.ts'
import { type ErasureParts, erasingOf } from './erasing.ts'

/** Ends the registrations that were interrupted and that nobody can finish any more. */
export function createUnfinishedSweep(parts: ErasureParts): Sweepable {
  return { sweep: () => endUnfinished({ ...erasingOf(parts, 'system'), proofs: parts.services.proofs }) }
}

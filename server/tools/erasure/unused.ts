import type { Sweepable } from '../../../services/sweep.ts'
import { removeUnused } from '../../../usecases/profile/remove-unused.ts'
import { type ErasureParts, erasingOf } from './erasing.ts'

/** Removes the files that no gallery names any more. */
export function createUnusedSweep(parts: ErasureParts): Sweepable {
  return { sweep: () => removeUnused(erasingOf(parts, 'system')) }
}

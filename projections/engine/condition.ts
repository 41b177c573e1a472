import type { Position } from '../../domain/shared/recorded.ts'
import type { Condition } from './leases.ts'

/** A process that has not reached what was the end of the log so long ago is behind. */
const BEHIND_MS = 5_000

/**
 * Asks the log itself: a process that it does not reach sees no event that it could be behind of. `fed` are the positions of
 * what this process feeds.
 */
export function createCondition(
  headOf: () => Promise<Position>,
  fed: () => readonly Position[],
  now: () => number = () => performance.now(),
): () => Promise<Condition> {
  let asked: { head: Position; at: number } | undefined
  return async () => {
    try {
      const head = await headOf()
      const { head: wanted, at } = asked ?? { head, at: now() }
      const reached = fed().every((position) => position >= wanted)
      if (reached || !asked) asked = { head, at: now() }
      return !reached && now() - at > BEHIND_MS ? 'behind' : 'keeps up'
    } catch {
      return 'unfit'
    }
  }
}

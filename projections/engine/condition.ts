import type { Position } from '../../domain/shared/recorded.ts'
import type { Condition } from './leases.ts'

/** A process that has not reached what was the end of the log so long ago is behind. */
const BEHIND_MS = 5_000
/** One that is behind and has come no step further for so long cannot feed anything. */
const STUCK_MS = 15_000

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
  let moved = { to: '', at: now() }
  return async () => {
    try {
      const head = await headOf()
      const { head: wanted, at } = asked ?? { head, at: now() }
      const positions = fed()
      const to = positions.join()
      if (to !== moved.to) moved = { to, at: now() }
      const reached = positions.every((position) => position >= wanted)
      if (reached || !asked) asked = { head, at: now() }
      if (reached || now() - at <= BEHIND_MS) return 'keeps up'
      return now() - moved.at > STUCK_MS ? 'unfit' : 'behind'
    } catch {
      return 'unfit'
    }
  }
}

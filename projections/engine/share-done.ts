import type { Position } from '../../domain/shared/recorded.ts'
import { fromPosition } from '../../eventstore/position.ts'

/** How much of the way is behind, from 0 to 1, by positions in the log. */
export function shareDone({ from, position, head }: { from: Position; position: Position; head: Position }): number {
  const [start, here, end] = [from, position, head].map((one) => Number(fromPosition(one).commit)) as [
    number,
    number,
    number,
  ]
  return end > start ? Math.min(1, Math.max(0, (here - start) / (end - start))) : 1
}

import type { Position } from '../../domain/shared/recorded.ts'
import type { Change } from './changes.ts'

/** The changes that a node saw lately, oldest first: rows of the read model are brought to the node's position by them. */
export class History {
  private changes: Change[] = []

  /** Everything after `floor` that the node has seen is kept. */
  constructor(
    public floor: Position,
    private readonly most: number,
  ) {}

  push(change: Change): void {
    this.changes.push(change)
    if (this.changes.length < 2 * this.most) return
    const dropped = this.changes.splice(0, this.changes.length - this.most)
    this.floor = dropped.at(-1)!.position
  }

  /** What came after a position at or after the floor. */
  after(position: Position): readonly Change[] {
    let low = 0
    let high = this.changes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.changes[middle]!.position > position) high = middle
      else low = middle + 1
    }
    return this.changes.slice(low)
  }
}

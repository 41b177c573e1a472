import type { Position } from '../../domain/shared/recorded.ts'
import { memberModels } from '../../projections/all-projections.ts'

const KEPT = 10_000

/** Which read models show what this process has just written, by its position; of older writes, and those of others, all count. */
export class RecentWrites {
  private readonly models = new Map<Position, readonly string[]>()

  constructor(private readonly kept = KEPT) {}

  note(position: Position, models: readonly string[]): void {
    this.models.set(position, models)
    if (this.models.size > this.kept) this.models.delete(this.models.keys().next().value!)
  }

  modelsAt(position: Position): readonly string[] {
    return this.models.get(position) ?? memberModels
  }
}

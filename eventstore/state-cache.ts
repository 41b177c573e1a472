/** What folding a stream gave, and which commands are in it. */
export type Folded<S> = {
  readonly state: S
  /** -1 when the stream is not there yet. */
  readonly revision: number
  readonly position: string
  /** The first revision and the fingerprint of each command in the stream. */
  readonly commands: ReadonlyMap<string, CommandMark>
}
export type CommandMark = {
  readonly revision: number
  readonly count: number
  readonly fingerprint: string | undefined
}

/** Least recently used streams fall out once the sum of their weights passes the bound. */
export class StateCache {
  private readonly entries = new Map<string, Folded<unknown>>()
  private weight = 0

  constructor(private readonly maxWeight: number) {}

  get(stream: string): Folded<unknown> | undefined {
    const folded = this.entries.get(stream)
    if (folded) {
      this.entries.delete(stream)
      this.entries.set(stream, folded)
    }
    return folded
  }

  set(stream: string, folded: Folded<unknown>): void {
    this.drop(stream)
    this.entries.set(stream, folded)
    this.weight += weightOf(folded)
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.maxWeight || oldest === stream) return
      this.drop(oldest)
    }
  }

  drop(stream: string): void {
    const known = this.entries.get(stream)
    if (!known) return
    this.weight -= weightOf(known)
    this.entries.delete(stream)
  }
}

const weightOf = (folded: Folded<unknown>) => 1 + folded.commands.size

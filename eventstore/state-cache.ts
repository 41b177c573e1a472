import type { Position } from '../domain/shared/recorded.ts'
import type { CommandIndex, CommandMark } from './snapshots/command-index.ts'

/** What folding a stream gave, and which commands are in it. */
export type Folded<S> = {
  readonly state: S
  /** -1 when the stream is not there yet. */
  readonly revision: number
  readonly position: Position
  /** The commands of its beginning. */
  readonly older: CommandIndex
  /** By id the commands behind those; grows with the stream, so only its owner adds to it. */
  readonly commands: Map<string, CommandMark>
}
/** A command of the index takes this part of the memory that one with its id takes. */
const INDEXED_WEIGHT = 1 / 16
/** So many subjects are known by name of those that were forgotten; a fold from before them is not kept, whosever it is. */
const FORGOTTEN_MOST = 10_000

/** The members that a stream is about: `<category>-<member>` or `<category>-<member>_<member>`. */
const subjectsOf = (stream: string): string[] => stream.slice(stream.indexOf('-') + 1).split('_')

/** Least recently used streams fall out once the sum of their weights passes the bound; a bound of 0 keeps none. */
export class StateCache {
  private readonly entries = new Map<string, { folded: Folded<unknown>; weight: number }>()
  private readonly streamsOf = new Map<string, Set<string>>()
  private weight = 0
  /** By subject the count at which it was forgotten, the latest last. */
  private readonly forgottenAt = new Map<string, number>()
  private unnamed = 0
  private count = 0

  constructor(private readonly maxWeight: number) {}

  /** How often a subject was forgotten: whoever begins to fold notes it, for `isForgotten`. */
  get forgotten(): number {
    return this.count
  }

  /** Whether a subject of the stream was forgotten after that many were. */
  isForgotten(stream: string, since: number): boolean {
    return since < this.unnamed || subjectsOf(stream).some((subject) => (this.forgottenAt.get(subject) ?? 0) > since)
  }

  get(stream: string): Folded<unknown> | undefined {
    const entry = this.entries.get(stream)
    if (!entry) return undefined
    this.entries.delete(stream)
    this.entries.set(stream, entry)
    return entry.folded
  }

  set(stream: string, folded: Folded<unknown>): void {
    this.drop(stream)
    if (this.maxWeight === 0) return
    const weight = 1 + folded.commands.size + folded.older.size * INDEXED_WEIGHT
    this.entries.set(stream, { folded, weight })
    this.weight += weight
    for (const subject of subjectsOf(stream)) {
      const streams = this.streamsOf.get(subject)
      if (streams) streams.add(stream)
      else this.streamsOf.set(subject, new Set([stream]))
    }
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.maxWeight || oldest === stream) return
      this.drop(oldest)
    }
  }

  drop(stream: string): void {
    this.weight -= this.entries.get(stream)?.weight ?? 0
    if (!this.entries.delete(stream)) return
    for (const subject of subjectsOf(stream)) {
      const streams = this.streamsOf.get(subject)
      streams?.delete(stream)
      if (streams?.size === 0) this.streamsOf.delete(subject)
    }
  }

  /** Every stream that names the subject, also those that are on their way here. */
  forget(subject: string): void {
    for (const stream of this.streamsOf.get(subject) ?? []) this.drop(stream)
    this.forgottenAt.delete(subject)
    this.forgottenAt.set(subject, ++this.count)
    const [oldest] = this.forgottenAt
    if (!oldest || this.forgottenAt.size <= FORGOTTEN_MOST) return
    this.forgottenAt.delete(oldest[0])
    this.unnamed = oldest[1]
  }
}

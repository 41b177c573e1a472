import type { MemberId } from '../../domain/shared/ids.ts'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { RealtimeLimits } from '../limits.ts'
import type { Absence, Absences } from './absences.ts'
import type { Rights } from './rights.ts'

/** A room of `member` with `other`. */
type Room = { readonly member: MemberId; readonly other: MemberId }
/**
 * Rooms with these others that are open, or were until the other was erased. At least one page, each as of a position: START
 * where there is no such read model.
 */
export type ReadRooms = (
  others: readonly MemberId[],
) => AsyncIterable<{ readonly at: Position; readonly rooms: readonly Room[] }>

export type ErasedRoomsDeps = {
  readonly readRooms: ReadRooms
  readonly rights: Pick<Rights, 'remembers' | 'changesAfter'>
  readonly absences: Pick<Absences, 'after'>
  readonly logLine: (line: string) => void
  readonly limits: Pick<RealtimeLimits, 'erasuresLookedAt' | 'erasedRooms' | 'roomsAgainMs'>
}
type Rooms = ReadonlyMap<MemberId, Set<MemberId>>

/**
 * Who had a room with members who were erased: asked once for all who come back, and kept with the absences. One look of a
 * node runs at a time, and ends when it has an answer: whoever waits for it may give up before.
 */
export class ErasedRooms {
  private running: Promise<void> | null = null
  /** In milliseconds: until then rows count as too far behind, because they were lately. */
  private behindUntil = 0

  constructor(private readonly deps: ErasedRoomsDeps) {}

  /** Nobody can be answered yet, and nobody has to ask: the rows are from before what the node remembers. */
  areBehind(absences: readonly Absence[]): boolean {
    return performance.now() < this.behindUntil && unknownOf(absences).length > 0
  }

  /** Null when nothing is missing. What another waits for already may be less: ask again after it. */
  waitsFor(absences: readonly Absence[]): Promise<void> | null {
    const unknown = unknownOf(absences)
    if (unknown.length === 0) return null
    this.running ??= this.look(unknown)
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.name : 'unknown'
        this.deps.logLine(`realtime: rooms of erased members could not be looked up: ${why}`)
        throw error
      })
      .finally(() => {
        this.running = null
      })
    return this.running
  }

  private async look(erasures: readonly Absence[]): Promise<void> {
    const found: Rooms = new Map(erasures.map(({ event }) => [event.member, new Set()]))
    let left = this.room()
    let from: Position | undefined
    for await (const { at, rooms } of this.deps.readRooms([...found.keys()])) {
      left -= rooms.length
      if (from === undefined || at < from) from = at
      if (left < 0 || !this.deps.rights.remembers(from)) break
      for (const { member, other } of rooms) found.get(other)?.add(member)
    }
    if (left >= 0 && !this.bring(found, from ?? START)) return this.putOff()
    for (const one of erasures) one.rooms = left < 0 ? 'too-many' : found.get(one.event.member)
  }

  /** How many rooms more may be kept, once those are dropped that nobody is answered from any more. */
  private room(): number {
    const { absences, limits } = this.deps
    const erased = absences.after(START).filter(({ erasedAt }) => erasedAt)
    for (const old of erased.slice(0, -limits.erasuresLookedAt)) old.rooms = undefined
    const kept = erased.map(({ rooms }) => (rooms instanceof Set ? rooms.size : 0))
    return kept.reduce((left, size) => left - size, limits.erasedRooms)
  }

  private putOff(): void {
    this.behindUntil = performance.now() + this.deps.limits.roomsAgainMs
    this.deps.logLine('realtime: rooms of erased members are too far behind: pages load again')
  }

  /**
   * Rows of the oldest page brought to where the node is; false for rows from before what it remembers. A change that they
   * show already changes nothing.
   */
  private bring(found: Rooms, from: Position): boolean {
    const { rights } = this.deps
    if (!rights.remembers(from)) return false
    for (const change of rights.changesAfter(from)) {
      if (!('other' in change)) continue
      const { kind, one, other } = change
      for (const [gone, member] of [[one, other] as const, [other, one] as const]) {
        if (kind === 'matched') found.get(gone)?.add(member)
        else if (kind !== 'unblocked') found.get(gone)?.delete(member)
      }
    }
    return true
  }
}

const unknownOf = (absences: readonly Absence[]) => absences.filter(({ erasedAt, rooms }) => erasedAt && !rooms)

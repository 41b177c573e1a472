import { setImmediate as others } from 'node:timers/promises'
import type { RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { idFrom } from '../../eventstore/ids.ts'
import type { AnyRow } from '../engine/columns.ts'
import { clockAfter } from '../engine/expiry/clock.ts'
import { changesOf, emptySets, foldChanges, handles, type RowSets, setClock } from '../engine/fold.ts'
import type { AnyTable, Projection } from '../projection.ts'
import { type OwnRows, ownersIn, ownRows, type SeenRows } from './own-rows.ts'
import { equal, plain } from './plain.ts'
import { rowOf } from './project.ts'
import { weightOfRow } from './row-weight.ts'
import type { HistoryRow } from './table.ts'

/** `missing`: the events make it and readers do not see it. `surplus`: the other way round. */
export type RowVerdict = 'equal' | 'differs' | 'missing' | 'surplus'

/** A read model compared with a replay at one position of the log. */
export type ComparedModel = {
  readonly name: string
  readonly position: Position | null
  /** `too-large`: its rows weigh more than is compared here. */
  readonly verdict: 'equal' | 'differs' | 'filling' | 'too-large'
  /** Rows about the member, and how many of them are not as they should be. */
  readonly count: number
  readonly wrong: number
}

/** A row as readers see it and as the events make it. */
export type RowPair = {
  /** The same for the same key; hides what a key may hold. */
  readonly id: string
  readonly table: AnyTable
  /** The id of its key in memory. */
  readonly key: string
  readonly is: AnyRow | undefined
  readonly ought: AnyRow | undefined
  readonly verdict: RowVerdict
}

/** Whose rows of which read model, and what readers see of them. */
export type Replay = {
  readonly member: MemberId
  readonly projection: Projection
  readonly seen: SeenRows
}
/** An event that can be read, and the bytes that it is stored in. */
export type Weighed = { readonly event: RecordedEvent; readonly weight: number }

/** Whether an event reaches the rows that are compared. */
export const reaches = ({ projection, seen }: Replay, { type, position }: Pick<RecordedEvent, 'type' | 'position'>) =>
  handles(projection, type) && position <= seen.position

/** Between two looks at what the rows weigh at least this part of what they may weigh is read. */
const LOOKS = 16

/**
 * What the events make of a member's rows, folded with the engine's own parts as they come. Rows alone stay in memory, and
 * none of them once they weigh more than they may.
 */
export class Refold {
  private sets: RowSets | null
  isTooLarge = false
  private clock: Date | null = null
  /** Stored bytes that may be folded before the rows are weighed again: they grow by no more than what is written in them. */
  private room: number

  constructor(
    readonly replay: Replay,
    private readonly most: number,
  ) {
    this.sets = emptySets(replay.projection)
    this.room = most
  }

  /** Oldest first; those that do not reach the rows are passed over. */
  add(page: readonly Weighed[]): void {
    const { projection } = this.replay
    if (!this.sets) return
    const own = page.filter(({ event }) => reaches(this.replay, event))
    const events = own.map(({ event }) => event)
    foldChanges(changesOf(projection, events, this.clock), this.sets)
    this.clock = clockAfter(projection, this.clock, events)
    this.room -= own.reduce((sum, { weight }) => sum + weight, 0)
    if (this.room < 0) this.weigh(this.sets)
  }

  private weigh(sets: RowSets): void {
    let weight = 0
    for (const set of sets.values()) for (const row of set.all()) weight += weightOfRow(row)
    this.isTooLarge = weight > this.most
    if (this.isTooLarge) this.release()
    this.room = Math.max(this.most - weight, this.most / LOOKS)
  }

  /** What is in memory here goes. */
  release(): void {
    this.sets = null
  }

  /** The member's own rows of a table at the position of what readers see. */
  rowsOf(table: AnyTable): OwnRows {
    const { member, seen } = this.replay
    // Time passed with others' events too.
    setClock(this.sets!, seen.clock)
    return ownRows(table, this.sets!.get(table)!, member)
  }
}

/** Pairs that are compared before others have their turn. */
const COMPARED = 500

/** Whether what readers see of a member matches the log, in one read model; wrong rows first. Nothing else stays of the fold. */
export async function compareRows(refold: Refold): Promise<RowPair[]> {
  const { projection, seen } = refold.replay
  const pairs: RowPair[] = []
  for (const table of projection.tables) {
    if (ownersIn(table).length === 0) continue
    const is = seen.rows.get(table) ?? new Map<string, AnyRow>()
    const ought = refold.rowsOf(table)
    for (const key of [...new Set([...is.keys(), ...ought.keys()])].sort()) {
      pairs.push(pairOf(table, key, { is, ought }))
      if (pairs.length % COMPARED === 0) await others()
    }
  }
  refold.release()
  return [...pairs.filter(({ verdict }) => verdict !== 'equal'), ...pairs.filter(({ verdict }) => verdict === 'equal')]
}

type Sides = { is: ReadonlyMap<string, AnyRow>; ought: ReadonlyMap<string, AnyRow> }

function pairOf(table: AnyTable, key: string, sides: Sides): RowPair {
  const [is, ought] = [sides.is.get(key), sides.ought.get(key)]
  const same = is && ought && Object.keys(table.columns).every((name) => sameValue(is[name], ought[name]))
  const verdict = !is ? 'missing' : !ought ? 'surplus' : same ? 'equal' : 'differs'
  return { id: idFrom(table.name, key), table, key, is, ought, verdict }
}

export const sameValue = (a: unknown, b: unknown): boolean => a === b || equal(plain(a), plain(b))

export function modelOf({ projection, seen }: Replay, pairs: readonly RowPair[]): ComparedModel {
  const wrong = pairs.filter(({ verdict }) => verdict !== 'equal').length
  const verdict = wrong === 0 ? 'equal' : 'differs'
  return { name: projection.name, position: seen.position, verdict, count: pairs.length, wrong }
}

/** The events that touched each of some rows, by the row's id, as the events come. */
export class Touching {
  private readonly sets: RowSets
  private readonly wanted: ReadonlyMap<string, string>
  /** Oldest first. */
  readonly found: ReadonlyMap<string, HistoryRow[]>

  constructor(
    private readonly replay: Replay,
    rows: readonly RowPair[],
  ) {
    this.sets = emptySets(replay.projection)
    this.wanted = new Map(rows.map(({ table, key, id }) => [`${table.name} ${key}`, id]))
    this.found = new Map(rows.map(({ id }) => [id, []]))
  }

  add(page: readonly Weighed[]): void {
    for (const { event } of page) if (reaches(this.replay, event)) this.addOne(event)
  }

  private addOne(event: RecordedEvent): void {
    const { projection, member } = this.replay
    for (const change of changesOf(projection, [event])) {
      const set = this.sets.get(change.table)
      const keys = !set ? [] : 'key' in change ? [set.idOf(change.key)] : set.matching(change.where)
      for (const key of keys) {
        const known = this.found.get(this.wanted.get(`${change.table.name} ${key}`) ?? '')
        if (known && known[known.length - 1]?.id !== event.id) known.push(rowOf(event, member))
      }
      foldChanges([change], this.sets)
    }
  }
}

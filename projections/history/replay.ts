import type { RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { idFrom } from '../../eventstore/ids.ts'
import type { AnyRow } from '../engine/columns.ts'
import { changesOf, emptySets, foldChanges, handles, type RowSets, setClock } from '../engine/fold.ts'
import type { AnyTable, Projection } from '../projection.ts'
import { type Opened, withoutSealed } from './masking.ts'
import { ownersIn, ownRows, type SeenModel } from './own-rows.ts'
import { equal, plain } from './plain.ts'

/** `missing`: the events make it and readers do not see it. `surplus`: the other way round. */
export type RowVerdict = 'equal' | 'differs' | 'missing' | 'surplus'

/** A read model compared with a replay at one position of the log. */
export type ComparedModel = {
  readonly name: string
  readonly position: Position | null
  readonly verdict: 'equal' | 'differs' | 'filling'
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

/** Whose rows, what readers see of them, and the events that reach them. */
export type Replay = {
  readonly member: MemberId
  readonly projection: Projection
  readonly seen: SeenModel
  readonly events: readonly RecordedEvent[]
}

const eventsFor = ({ projection, seen, events }: Replay): RecordedEvent[] =>
  events.filter(({ type, position }) => handles(projection, type) && position <= seen.position)

/** Folded with the engine's own parts. */
function folded({ projection, seen }: Replay, events: readonly RecordedEvent[]): RowSets {
  const sets = emptySets(projection)
  foldChanges(changesOf(projection, events), sets)
  // Time passed with others' events too.
  setClock(sets, seen.clock)
  return sets
}

/** Whether what readers see of a member matches the log, in one read model; wrong rows first. */
export function compareRows(replay: Replay): RowPair[] {
  const { projection, member, seen } = replay
  const sets = folded(replay, eventsFor(replay))
  const pairs = projection.tables
    .filter((table) => ownersIn(table).length > 0)
    .flatMap((table) => {
      const is = seen.rows.get(table) ?? new Map<string, AnyRow>()
      const ought = ownRows(table, sets.get(table)!, member)
      return [...new Set([...is.keys(), ...ought.keys()])].sort().map((key) => pairOf(table, key, { is, ought }))
    })
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

export function modelOf({ projection, seen }: Pick<Replay, 'projection' | 'seen'>, pairs: readonly RowPair[]) {
  const wrong = pairs.filter(({ verdict }) => verdict !== 'equal').length
  const verdict = wrong === 0 ? 'equal' : 'differs'
  return { name: projection.name, position: seen.position, verdict, count: pairs.length, wrong } as const
}

/** The rows as they fold without what is sealed: a value that stands in both is no secret. */
export function foldClosed(replay: Replay, opened: Opened): RowSets {
  return folded(
    replay,
    eventsFor(replay).map((event) => withoutSealed(event, opened)),
  )
}

/** The events that touched each of these rows, oldest first, by the row's id. */
export function eventsTouching(replay: Replay, rows: readonly RowPair[]): Map<string, RecordedEvent[]> {
  const { projection } = replay
  const sets = emptySets(projection)
  const wanted = new Map(rows.map(({ table, key, id }) => [`${table.name} ${key}`, id]))
  const touched = new Map(rows.map(({ id }) => [id, [] as RecordedEvent[]]))
  for (const event of eventsFor(replay)) {
    for (const change of changesOf(projection, [event])) {
      const set = sets.get(change.table)
      const keys = !set ? [] : 'key' in change ? [set.idOf(change.key)] : set.matching(change.where)
      for (const key of keys) {
        const known = touched.get(wanted.get(`${change.table.name} ${key}`) ?? '')
        if (known && known[known.length - 1] !== event) known.push(event)
      }
      foldChanges([change], sets)
    }
  }
  return touched
}

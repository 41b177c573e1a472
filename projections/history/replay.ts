import type pg from 'pg'
import type { RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { changesOf, emptySets, foldChanges, handles, type RowSets } from '../engine/fold.ts'
import type { AnyTable, Projection } from '../projection.ts'
import { type Opened, type Shown, withoutSealed } from './masking.ts'
import { type OwnRows, ownersIn, ownRows, readOwnRows } from './own-rows.ts'
import { equal, plain } from './plain.ts'
import { rowOf } from './project.ts'
import type { HistoryRow } from './table.ts'

/** One row of a read model about a member, held against what the member's events make of it. */
export type ComparedRow = {
  /** The same for the same key; hides what a key may hold. */
  readonly id: string
  readonly table: string
  /** `missing`: the events make it and readers do not see it. `surplus`: the other way round. */
  readonly verdict: 'equal' | 'differs' | 'missing' | 'surplus'
  readonly columns: readonly { readonly name: string; readonly shown: Shown; readonly differs: boolean }[]
  /** The events that made it what it is, oldest first. */
  readonly madeBy: readonly HistoryRow[]
}
/** A read model held against a replay at one position of the log. */
export type ComparedModel = {
  readonly name: string
  readonly position: Position | null
  readonly verdict: 'equal' | 'differs' | 'filling'
  readonly rows: readonly ComparedRow[]
}

const SEALED = { hidden: 'sealed' } as const

type Folded = { readonly sets: RowSets; readonly touched: ReadonlyMap<string, readonly RecordedEvent[]> }
const touchId = (table: AnyTable, id: string) => `${table.name} ${id}`

/** Folds event by event with the engine's own parts, and notes which event touched which row. */
function foldNoting(projection: Projection, events: readonly RecordedEvent[]): Folded {
  const sets = emptySets(projection)
  const touched = new Map<string, RecordedEvent[]>()
  for (const event of events) {
    for (const change of changesOf(projection, [event])) {
      const set = sets.get(change.table)
      const ids = !set ? [] : 'key' in change ? [set.idOf(change.key)] : set.matching(change.where)
      for (const id of ids) {
        const known = touched.get(touchId(change.table, id))
        if (!known) touched.set(touchId(change.table, id), [event])
        else if (known[known.length - 1] !== event) known.push(event)
      }
      foldChanges([change], sets)
    }
  }
  return { sets, touched }
}

/** Everything that a comparison of one member's rows needs; `events` are the member's and those that reach their rows. */
export type Replay = {
  readonly pool: pg.Pool
  readonly member: MemberId
  readonly opened: Opened
  readonly eventsUpTo: (position: Position) => Promise<readonly RecordedEvent[]>
}

/** Whether readers see of a member what the log says, in one read model. */
export async function compareModel(replay: Replay, projection: Projection): Promise<ComparedModel> {
  const { name, tables } = projection
  const { member } = replay
  const seen = await readOwnRows(replay.pool, projection, member)
  if (!seen) return { name, position: null, verdict: 'filling', rows: [] }
  const events = (await replay.eventsUpTo(seen.position)).filter(({ type }) => handles(projection, type))
  const folded = foldNoting(projection, events)
  const closed = foldNoting(
    projection,
    events.map((event) => withoutSealed(event, replay.opened)),
  )
  const rows = tables
    .filter((table) => ownersIn(table).length > 0)
    .flatMap((table) =>
      compareTable(table, seen.rows.get(table) as OwnRows, {
        folded,
        closed,
        member,
        opened: replay.opened.has(member),
      }),
    )
  const verdict = rows.every((row) => row.verdict === 'equal') ? 'equal' : 'differs'
  return { name, position: seen.position, verdict, rows }
}

function compareTable(
  table: AnyTable,
  seen: OwnRows,
  { folded, closed, member, opened }: { folded: Folded; closed: Folded; member: MemberId; opened: boolean },
): ComparedRow[] {
  const setOf = ({ sets }: Folded) => ownRows(table, sets.get(table)!, member)
  const [made, masked] = [setOf(folded), setOf(closed)]
  const ids = [...new Set([...seen.keys(), ...made.keys()])].sort()
  return ids.map((id) => {
    const [is, ought] = [seen.get(id), made.get(id)]
    const shown = is ?? ought
    const hidden = masked.get(id)
    const columns = Object.keys(table.columns).map((name) => {
      const value = plain(shown?.[name])
      const differs = is !== undefined && ought !== undefined && !equal(plain(is[name]), plain(ought[name]))
      // What a replay without the sealed fields makes too is no secret.
      const open = hidden !== undefined && equal(value, plain(hidden[name]))
      return { name, differs, shown: open || (differs && opened) ? { value } : SEALED }
    })
    const verdict = !is ? 'missing' : !ought ? 'surplus' : columns.some(({ differs }) => differs) ? 'differs' : 'equal'
    const madeBy = (folded.touched.get(touchId(table, id)) ?? []).map((event) => rowOf(event, member))
    return { id: idFrom(table.name, id), table: table.name, verdict, columns, madeBy } as const
  })
}

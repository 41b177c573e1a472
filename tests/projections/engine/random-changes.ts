import fc from 'fast-check'
import type { RecordedEvent } from '../../../domain/all-events.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { Decoded } from '../../../projections/engine/decoding.ts'
import {
  atMost,
  type Change,
  fold,
  type Projection,
  patch,
  put,
  remove,
  removeWhere,
  type Table,
  updateWhere,
} from '../../../projections/projection.ts'
import { isMeant } from '../../support/fold-of-log.ts'
import { positionAt } from '../../support/recorded.ts'

export type ThingRow = {
  id: string
  room: string | null
  kind: string
  n: number
  list: readonly string[]
  since: Date | null
}

export const thing: Table<ThingRow> = {
  name: 'thing',
  columns: {
    id: 'text collate "C" not null',
    room: 'text collate "C"',
    kind: 'text not null',
    n: 'integer not null',
    list: 'jsonb not null',
    since: 'timestamptz',
  },
  key: ['id'],
  indexes: [{ on: 'room', serves: 'a test' }],
}

const time = (n: number) => new Date(Date.UTC(2026, 0, 1 + n))
const ids = fc.constantFrom('one', 'two', 'three', 'four', 'five', 'six')
const rooms = fc.constantFrom('red', 'blue', null)
const kinds = fc.constantFrom('a', 'b')
const small = fc.nat(3)

const row: fc.Arbitrary<ThingRow> = fc
  .record({ id: ids, room: rooms, kind: kinds, n: small })
  .map((some) => ({ ...some, list: [some.kind], since: some.n === 0 ? null : time(some.n) }))

const equal = fc.oneof(
  rooms.map((room) => ({ room })),
  kinds.map((kind) => ({ kind })),
  fc.record({ room: rooms, kind: kinds }),
)
const most = fc.constantFrom({}, {}, { n: atMost(1) }, { since: atMost(time(1)) }, { room: atMost('blue') })
const where = fc.oneof(
  { weight: 3, arbitrary: equal },
  fc.tuple(kinds, most).map(([kind, limit]) => ({ kind, ...limit })),
)

const news: fc.Arbitrary<Partial<ThingRow>> = fc.oneof(
  small.map((n) => ({ n })),
  rooms.map((room) => ({ room })),
  kinds.map((kind) => ({ kind, list: [kind, 'set'] })),
)

const bumped = (id: string): Change =>
  fold(thing, { id }, (old) =>
    old ? { ...old, n: old.n + 1 } : { id, room: null, kind: 'a', n: 0, list: [], since: time(0) },
  )

const turned = (id: string): Change => patch(thing, { id }, (old) => ({ ...old, kind: old.kind === 'a' ? 'b' : 'a' }))

const set = fc.tuple(where, news).map(([of, values]) => updateWhere(thing, of, values))
const change: fc.Arbitrary<Change> = fc.oneof(
  row.map((one) => put(thing, one)),
  ids.map(bumped),
  ids.map((id) => remove(thing, { id })),
  ids.map(turned),
  { weight: 4, arbitrary: set },
  where.map((of) => removeWhere(thing, of)),
)

/** Events that each do some changes, and where batches end: after the event of each number. */
export const histories = fc.record({
  events: fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 10, maxLength: 40 }),
  cuts: fc.array(fc.nat(40), { maxLength: 6 }),
})

export function cutAt<T>(all: readonly T[], cuts: readonly number[]): T[][] {
  const ends = [...new Set([...cuts.filter((cut) => cut < all.length), all.length])].sort((a, b) => a - b)
  return ends.map((end, index) => all.slice(ends[index - 1] ?? 0, end)).filter((part) => part.length > 0)
}

/** A read model whose events do what they are given. */
export const things: Projection = {
  name: 'things',
  version: 1,
  tables: [thing],
  when: { Buzzed: (event) => (event as unknown as { changes: readonly Change[] }).changes },
}

export const decoded = (changes: readonly Change[], index: number): Decoded => {
  const stored = { type: 'Buzzed', position: positionAt(index + 1), id: `${index}` } as Decoded['stored']
  return { stored, event: { ...stored, changes } as unknown as RecordedEvent }
}
export const endOf = (events: readonly Decoded[]): Position => events[events.length - 1]!.stored.position

/** The obvious way: one change after the other, over all rows. */
export function plainly(events: readonly (readonly Change[])[]): ThingRow[] {
  const rows = new Map<string, ThingRow>()
  for (const one of events.flat()) {
    if ('key' in one) {
      const id = one.key.id as string
      const after = one.fold(rows.get(id)) as ThingRow | undefined
      if (after) rows.set(id, after)
      else rows.delete(id)
      continue
    }
    for (const [id, old] of [...rows]) {
      if (!isMeant(old, one)) continue
      if (one.set) rows.set(id, { ...old, ...one.set } as ThingRow)
      else rows.delete(id)
    }
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

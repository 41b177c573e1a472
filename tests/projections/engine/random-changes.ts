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
  ends: Date | null
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
    ends: 'timestamptz',
  },
  key: ['id'],
  expires: 'ends',
  indexes: [{ on: 'room', serves: 'a test' }],
}

const time = (n: number) => new Date(Date.UTC(2026, 0, 1 + n))
const ids = fc.constantFrom('one', 'two', 'three', 'four')
const rooms = fc.constantFrom('red', 'blue', null)
const kinds = fc.constantFrom('a', 'b')
const small = fc.nat(3)

const ends = fc.option(fc.nat(45).map(time), { freq: 3 })

const row: fc.Arbitrary<ThingRow> = fc
  .record({ id: ids, room: rooms, kind: kinds, n: small, ends })
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
  ends.map((until) => ({ ends: until })),
  rooms.map((room) => ({ room })),
  kinds.map((kind) => ({ kind, list: [kind, 'set'] })),
)

const bumped = (id: string): Change =>
  fold(thing, { id }, (old) =>
    old ? { ...old, n: old.n + 1 } : { id, room: null, kind: 'a', n: 0, list: [], since: time(0), ends: null },
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

/** What an event does, and when: not in the order of the log. */
export type Given = { readonly changes: readonly Change[]; readonly at: Date }
const given = fc.record({
  changes: fc.array(change, { maxLength: 3 }),
  at: fc.nat(20),
})

/** Events that each do some changes, and where batches end: after the event of each number. */
export const histories = fc.record({
  events: fc
    .array(given, { minLength: 10, maxLength: 40 })
    .map((all): Given[] => all.map(({ changes, at }, index) => ({ changes, at: time(index + at) }))),
  cuts: fc.array(fc.nat(40), { maxLength: 12 }),
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
  when: { Buzzed: (event) => (event as unknown as Given).changes },
}

const note: Table<{ id: string }> = { name: 'note', columns: { id: 'text not null' }, key: ['id'], appended: true }

/** As `things`, and each event adds a row to a table beside it. */
export const noted: Projection = {
  ...things,
  name: 'noted',
  tables: [thing, note],
  when: { Buzzed: (event) => [put(note, { id: event.id }), ...(event as unknown as Given).changes] },
}

export const decoded = ({ changes, at }: Given, index: number): Decoded => {
  const stored = { type: 'Buzzed', position: positionAt(index + 1), id: `${index}` } as Decoded['stored']
  return { stored, event: { ...stored, changes, at, recordedAt: at } as unknown as RecordedEvent }
}
export const endOf = (events: readonly Decoded[]): Position => events[events.length - 1]!.stored.position

/** The obvious way: one change after the other, over all rows, and a look at the clock before each event and at the end. */
export function plainly(events: readonly Given[]): ThingRow[] {
  const rows = new Map<string, ThingRow>()
  let clock = new Date(0)
  const expire = () => {
    for (const [id, { ends: until }] of [...rows]) if (until && until <= clock) rows.delete(id)
  }
  for (const { changes, at } of events) {
    if (at > clock) clock = at
    expire()
    for (const one of changes) {
      changeOne(rows, one)
      expire()
    }
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function changeOne(rows: Map<string, ThingRow>, one: Change): void {
  const put = (id: string, row: ThingRow | undefined) => (row ? rows.set(id, row) : rows.delete(id))
  if ('key' in one) {
    const id = one.key.id as string
    put(id, one.fold(rows.get(id)) as ThingRow | undefined)
    return
  }
  for (const [id, old] of [...rows])
    if (isMeant(old, one)) put(id, one.set ? ({ ...old, ...one.set } as ThingRow) : undefined)
}

import { expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { ownersIn } from '../../projections/history/own-rows.ts'
import { type Projection, put, type Table } from '../../projections/projection.ts'
import { ann, bea, erased, joined } from '../support/people.ts'
import { Folded, project } from '../support/project.ts'
import { recorded } from '../support/recorded.ts'
import { samples } from '../support/samples.ts'
import { namesErased, OUTLIVES_ERASURE } from './outlives-erasure.ts'

/** Columns with a member's id under another name than an owner's, by `table.column`, and why. */
const NOT_OWNERS: Readonly<Record<string, string>> = {
  'relation.other': 'the other has a row of their own, with the two swapped',
  'conversation.other': 'the other has a row of their own, with the two swapped',
  'conversation.room': 'a pair; the row is `member`’s',
  'message.room': 'a pair; the row is `from_member`’s',
  'history.stream': 'where the event stands; the row is `member`’s',
}
/** Tables that are about nobody, and why. */
const NOBODYS: Readonly<Record<string, string>> = {}

const ENDS = ['AccountErased', 'ErasureCertified']
const known = Object.entries(samples).map(([type, event]) => ({ type, ...event }) as DomainEvent)
/** Two members, then one of every event: each table has had its rows somewhere on the way. */
const facts = [...joined('Ann'), ...joined('Bea'), ...known.filter(({ type }) => !ENDS.includes(type))]

const isOwner = (column: string) => ownersIn({ name: 'any', columns: { [column]: 'text' }, key: [column] }).length > 0

/** By table, the columns in which the id of a member stood at any moment; none for a table that had no row. */
function columnsWithMembers(projections: readonly Projection[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const folded = new Folded(projections)
  for (const event of recorded(...facts)) {
    folded.apply(event)
    for (const [table, rows] of Object.entries(folded.all()))
      for (const row of rows) {
        const columns = found.get(table) ?? new Set()
        found.set(table, columns)
        for (const [column, value] of Object.entries(row)) if (holdsMember(value)) columns.add(column)
      }
  }
  return found
}

const holdsMember = (value: unknown) => [ann, bea].some((id) => JSON.stringify(value)?.includes(id))

function unnamed(projections: readonly Projection[]): string[] {
  const all = [...columnsWithMembers(projections)].flatMap(([table, columns]) =>
    [...columns].filter((column) => !isOwner(column)).map((column) => `${table}.${column}`),
  )
  return all.filter((name) => !(name in NOT_OWNERS))
}

/** What an erasure leaves, after whichever event it comes. */
function left(projections: readonly Projection[], gone: typeof ann): string[] {
  const moments = facts.map((_, index) => recorded(...facts.slice(0, index + 1), erased(gone)))
  return [...new Set(moments.flatMap((history) => namesErased(project(projections, history).all(), gone)))]
}

type SkipRow = { by: string; target: string }
const skipTable: Table<SkipRow> = { name: 'skip', columns: { by: 'text', target: 'text' }, key: ['by', 'target'] }
const skips: Projection = {
  name: 'skips',
  version: 1,
  tables: [skipTable],
  when: { Skipped: ({ by, target }) => [put(skipTable, { by, target })] },
}

test('a column with the id of a member has an owner’s name, or a reason', () => {
  expect(unnamed(allProjections)).toEqual([])
  expect(unnamed([skips])).toEqual(['skip.by'])
})

test('every table says whose its rows are, or is about nobody for a reason', () => {
  const tables = allProjections.flatMap((projection) => projection.tables)
  const silent = tables.filter((table) => ownersIn(table).length === 0 && !(table.name in NOBODYS))
  expect(silent.map(({ name }) => name)).toEqual([])
  const filled = columnsWithMembers(allProjections)
  // One that no event of tests/support/samples.ts fills would be looked at in vain.
  expect(tables.filter(({ name }) => !filled.has(name)).map(({ name }) => name)).toEqual([])
})

test('no read model keeps a row of an erased member, at whatever moment they go', () => {
  expect([...left(allProjections, ann), ...left(allProjections, bea)]).toEqual([])
  expect(left([skips], ann)).toEqual(['skip.by'])
})

test('the lists of exceptions name only columns that are there', () => {
  const columns = allProjections.flatMap(({ tables }) =>
    tables.flatMap((table) => Object.keys(table.columns).map((column) => `${table.name}.${column}`)),
  )
  const named = [...Object.keys(NOT_OWNERS), ...Object.keys(OUTLIVES_ERASURE)]
  expect(named.filter((name) => !columns.includes(name))).toEqual([])
})

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyEvents, readable } from '../../../projections/engine/apply.ts'
import { schemaOf, type Target } from '../../../projections/engine/checkpoints.ts'
import type { Decoded } from '../../../projections/engine/decoding.ts'
import { clockAfter } from '../../../projections/engine/expiry/clock.ts'
import { areApart, commute, listOwed, OwedFirst } from '../../../projections/engine/owed/owed.ts'
import { Debts } from '../../../projections/engine/owed/pay.ts'
import { findOrMakeTarget } from '../../../projections/engine/targets.ts'
import { inTransaction } from '../../../projections/engine/transaction.ts'
import {
  type Change,
  type Projection,
  put,
  removeWhere,
  type SetChange,
  updateWhere,
} from '../../../projections/projection.ts'
import { type EngineRig, startEngineRig } from '../engine-rig.ts'
import { decoded, type Given, histories, plainly, type ThingRow, thing, things } from './random-changes.ts'

/** The same by erasures, whose changes may be owed. */
const erasing: Projection = { ...things, name: 'erasing', when: { AccountErased: things.when.Buzzed as never } }

let rig: EngineRig
let target: Target
let debts: Debts
beforeAll(async () => {
  rig = await startEngineRig()
  target = ((await findOrMakeTarget(rig.pool, rig.log, erasing)) as unknown as { target: Target }).target
  debts = new Debts({ pool: rig.pool, projection: erasing, piece: 1 }, () => target)
})
afterAll(() => rig.stop())

const table = () => `${schemaOf(target)}.thing`
const erased = (one: Decoded): Decoded => {
  const event = { ...readable(one), type: 'AccountErased' } as never
  return { stored: { ...one.stored, type: 'AccountErased' }, event }
}
const seen = { owed: 0, first: 0 }

/** As a live read model takes an event: what is owed and meets it is paid before. */
async function take(one: Decoded, clock: Date | null): Promise<Date | null> {
  const events = [readable(one)]
  const taken = (owing: { owed: Awaited<ReturnType<Debts['list']>>; most: number } | undefined) =>
    inTransaction(rig.pool, (db) =>
      applyEvents(db, { projection: erasing, target: { ...target, clock }, owing }, events),
    )
  debts.forget()
  for (let isTaken = false; !isTaken; ) {
    try {
      await taken(debts.mayBe ? { owed: await debts.list(), most: 1 } : undefined)
      isTaken = true
    } catch (error) {
      if (!(error instanceof OwedFirst)) throw error
      seen.first++
      if (error.number === undefined) await debts.payAll()
      else await debts.payUpTo(error.number)
    }
  }
  seen.owed += (await listOwed(rig.pool, target)).length
  return clockAfter(erasing, clock, events)
}

test('changes that are made later, in pieces, end as if each had been made at its turn', async () => {
  const pieces = fc.array(fc.nat(3), { minLength: 40, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(histories, pieces, async ({ events }, paid) => {
      await rig.pool.query(`truncate ${table()}`)
      let clock: Date | null = null
      for (const [index, one] of events.map(decoded).map(erased).entries()) {
        clock = await take(one, clock)
        debts.forget()
        for (let piece = 0; piece < paid[index]!; piece++) await debts.payPiece()
      }
      await debts.payAll()
      const asked = `select * from ${table()} where ends is null or $1::timestamptz is null or ends > $1 order by id`
      expect((await rig.pool.query(asked, [clock])).rows).toEqual(plainly(events))
    }),
    { numRuns: 50 },
  )
  expect(seen.owed).toBeGreaterThan(30)
  expect(seen.first).toBeGreaterThan(5)
})

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const row = (id: string, more: Partial<ThingRow> = {}): ThingRow => ({
  id,
  room: 'red',
  kind: 'a',
  n: 0,
  list: [],
  since: null,
  ends: null,
  ...more,
})
const rows = ['one', 'two', 'three']
/** Three rows, and then the changes of a day each; what they owe is paid in the end. */
async function inTheEnd(made: readonly ThingRow[], ...changes: Change[]) {
  await rig.pool.query(`truncate ${table()}`)
  const events: Given[] = [made.map((one) => put(thing, one)), ...changes.map((one) => [one])].map((all, index) => ({
    changes: all,
    at: day(1 + 10 * index),
  }))
  let clock: Date | null = null
  for (const one of events.map(decoded).map(erased)) clock = await take(one, clock)
  debts.forget()
  await debts.payAll()
  expect((await rig.pool.query(`select * from ${table()} order by id`)).rows).toEqual(plainly(events))
}

test('a row that is written whole behind a change that is owed stays as it was written', () =>
  inTheEnd(
    rows.map((id) => row(id)),
    updateWhere(thing, { kind: 'a' }, { n: 9 }),
    put(thing, row('three', { n: 1 })),
  ))

test('a change behind another one of the same rows is made behind it', () =>
  inTheEnd(
    rows.map((id) => row(id)),
    updateWhere(thing, { kind: 'a' }, { room: 'blue' }),
    updateWhere(thing, { room: 'red' }, { n: 5 }),
    updateWhere(thing, { room: 'blue' }, { kind: 'b' }),
  ))

test('a change that lets rows last longer is not owed: they could be gone before', () =>
  inTheEnd(
    rows.map((id) => row(id, { ends: day(15) })),
    updateWhere(thing, { kind: 'a' }, { ends: null }),
    put(thing, row('four')),
  ))

test('changes are apart where a column that neither changes tells their rows apart', () => {
  const of = (room: string | null, kind: string) => updateWhere(thing, { room }, { kind }) as SetChange
  const gone = (room: string) => removeWhere(thing, { room }) as SetChange
  expect(areApart(of('red', 'a'), of('blue', 'a'))).toBe(true)
  expect(areApart(of('red', 'a'), of(null, 'a'))).toBe(true)
  expect(areApart(gone('red'), gone('red'))).toBe(false)
  expect(areApart(gone('red'), updateWhere(thing, { room: 'blue' }, { room: 'red' }) as SetChange)).toBe(false)
  expect(areApart(gone('red'), removeWhere(thing, { kind: 'a' }) as SetChange)).toBe(false)
})

test('a removal is made before or behind another change of the same rows, but for one of what it asks of', () => {
  const gone = removeWhere(thing, { room: 'red' }) as SetChange
  const of = (set: Partial<ThingRow>) => updateWhere(thing, { kind: 'a' }, set) as SetChange
  for (const [one, other, either] of [
    [gone, of({ n: 1 }), true],
    [gone, removeWhere(thing, { kind: 'a' }) as SetChange, true],
    [gone, of({ room: 'red' }), false],
    [of({ n: 1 }), of({ n: 2 }), false],
  ] as const) {
    expect(commute(one, other)).toBe(either)
    expect(commute(other, one)).toBe(either)
  }
})

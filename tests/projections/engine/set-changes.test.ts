import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyEvents, readable } from '../../../projections/engine/apply.ts'
import { schemaOf, type Target } from '../../../projections/engine/checkpoints.ts'
import type { Decoded } from '../../../projections/engine/decoding.ts'
import { FillingModel } from '../../../projections/engine/fill/model.ts'
import { changesOf, emptySets, foldChanges } from '../../../projections/engine/fold.ts'
import { groupsOf } from '../../../projections/engine/sets/set-groups.ts'
import { createIndexes } from '../../../projections/engine/tables.ts'
import { findHome } from '../../../projections/engine/targets.ts'
import { inTransaction } from '../../../projections/engine/transaction.ts'
import { Turns } from '../../../projections/engine/turns.ts'
import { removeWhere, type SetChange, updateWhere } from '../../../projections/projection.ts'
import { type EngineRig, startEngineRig } from '../engine-rig.ts'
import { cutAt, decoded, endOf, histories, plainly, thing, things } from './random-changes.ts'

let rig: EngineRig
let target: Target
beforeAll(async () => {
  rig = await startEngineRig()
  const home = await findHome(rig.pool, rig.log, things)
  target = (home as { target: Target } & typeof home).target
})
afterAll(() => rig.stop())

const RUNS = { numRuns: 200 }
const table = () => `${schemaOf(target)}.thing`
const stored = async () => (await rig.pool.query(`select * from ${table()} order by id`)).rows

async function filled(batches: readonly Decoded[][], letGo: boolean): Promise<void> {
  const { pool } = rig
  const index = () => inTransaction(pool, (db) => createIndexes(db, things, target))
  const given = { pool, projection: things, target, empty: true, note: async () => undefined, onPage: () => undefined }
  const model = new FillingModel({ ...given, index, head: endOf(batches.at(-1)!) }, new Turns())
  for (const [number, events] of batches.entries()) {
    await model.take({ events, to: endOf(events), passed: events.length })
    if (letGo && number % 2 === 0) {
      for (const one of model.inMemory) one.letGo()
      await model.write()
    }
  }
  await model.finish()
}

test('changes by where meet the rows that are so at their turn, however the batches are cut', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ events, cuts }) => {
      await rig.pool.query(`truncate ${table()}`)
      for (const batch of cutAt(events.map(decoded), cuts))
        await inTransaction(rig.pool, (db) => applyEvents(db, { projection: things, target }, batch.map(readable)))
      expect(await stored()).toEqual(plainly(events))
    }),
    RUNS,
  )
})

test('a filling gives the same rows, in memory or let go of in the middle', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.boolean(), async ({ events, cuts }, letGo) => {
      await rig.pool.query(`truncate ${table()}`)
      await filled(cutAt(events.map(decoded), cuts), letGo)
      expect(await stored()).toEqual(plainly(events))
    }),
    RUNS,
  )
})

test('a fold in memory alone gives the same rows', () => {
  fc.assert(
    fc.property(histories, ({ events }) => {
      const sets = emptySets(things)
      foldChanges(changesOf(things, events.map(decoded).map(readable)), sets)
      const rows = plainly(events)
      const set = sets.get(thing)!
      expect(rows.map(({ id }) => set.get(id))).toEqual(rows)
      expect(set.matching({}).length).toBe(rows.length)
    }),
    RUNS,
  )
})

const of = (room: string, kind: string) => updateWhere(thing, { room, kind }, { n: 1 }) as SetChange

test('changes of one form whose rows are others are one statement', () => {
  const pairs = Array.from({ length: 500 }, (_, index) => [
    removeWhere(thing, { room: `room ${index}`, kind: 'a' }) as SetChange,
    of(`room ${index} too`, 'b'),
  ])
  expect(groupsOf(pairs.flat()).map(({ changes }) => changes.length)).toEqual([500, 500])
})

test('changes that could meet the same row stay in their order', () => {
  const moves = (from: string, to: string) => updateWhere(thing, { room: from }, { room: to }) as SetChange
  const counts = (room: string) => updateWhere(thing, { room }, { n: 1 }) as SetChange
  const sizes = (...changes: SetChange[]) => groupsOf(changes).map((group) => group.changes.length)
  expect(sizes(counts('blue'), moves('red', 'green'), counts('blue'))).toEqual([1, 1, 1])
  expect(sizes(counts('white'), moves('red', 'blue'), counts('blue'))).toEqual([1, 1, 1])
  const movesOf = (from: string, kind: string) => updateWhere(thing, { room: from, kind }, { room: 'red' }) as SetChange
  expect(sizes(movesOf('white', 'a'), counts('red'), movesOf('blue', 'b'))).toEqual([1, 1, 1])
  expect(sizes(counts('white'), moves('red', 'blue'), counts('white'))).toEqual([1, 1, 1])
})

test('a value that the column does not take ends the batch before a row is changed', async () => {
  const fails = (change: object) => () => foldChanges([change as SetChange], emptySets(things))
  expect(fails(updateWhere(thing, { room: 'red' }, { kind: null as never }))).toThrow('thing.kind is missing')
  expect(fails(removeWhere(thing, { kind: { atMost: 'a' } }))).toThrow('thing.kind cannot be compared')
  expect(fails(removeWhere(thing, { list: 'a' as never }))).toThrow('thing.list cannot be compared')
  expect(() => updateWhere(thing, {}, { id: 'other' })).toThrow('may not change the key')
})

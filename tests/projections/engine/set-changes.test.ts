import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { START } from '../../../domain/shared/recorded.ts'
import { applyEvents, readable } from '../../../projections/engine/apply.ts'
import { schemaOf, type Target } from '../../../projections/engine/checkpoints.ts'
import { layoutOf } from '../../../projections/engine/columns.ts'
import type { Decoded } from '../../../projections/engine/decoding.ts'
import { clockAfter } from '../../../projections/engine/expiry/clock.ts'
import { FillingModel } from '../../../projections/engine/fill/model.ts'
import { changesOf, emptySets, foldChanges, setClock } from '../../../projections/engine/fold.ts'
import { runGroup } from '../../../projections/engine/sets/run-sets.ts'
import { groupsOf } from '../../../projections/engine/sets/set-groups.ts'
import { createIndexes } from '../../../projections/engine/tables.ts'
import { findOrMakeTarget } from '../../../projections/engine/targets.ts'
import { inTransaction } from '../../../projections/engine/transaction.ts'
import { Turns } from '../../../projections/engine/turns.ts'
import { put, removeWhere, type SetChange, updateWhere } from '../../../projections/projection.ts'
import { type EngineRig, startEngineRig } from '../engine-rig.ts'
import { cutAt, decoded, endOf, histories, noted, plainly, type ThingRow, thing } from './random-changes.ts'

let rig: EngineRig
let target: Target
beforeAll(async () => {
  rig = await startEngineRig()
  const assignment = await findOrMakeTarget(rig.pool, rig.log, noted)
  target = (assignment as { target: Target } & typeof assignment).target
})
afterAll(() => rig.stop())

const RUNS = { numRuns: 250 }
/** Those that ask Postgres. */
const STORED_RUNS = { numRuns: 80 }
/** After which batches the rows leave memory, and which is the last of a filling that is killed. */
const letGo = fc.array(fc.boolean(), { minLength: 6, maxLength: 12 })
const killed = fc.oneof(fc.constant(0), fc.nat(8))
const table = () => `${schemaOf(target)}.thing`
const truncate = () => rig.pool.query(`truncate ${table()}, ${schemaOf(target)}.note`)
const notes = async () => (await rig.pool.query(`select from ${schemaOf(target)}.note`)).rowCount
/** The rows whose time has not passed. */
const alive = async (clock: Date | null) => {
  const asked = `select * from ${table()} where ends is null or $1::timestamptz is null or ends > $1 order by id`
  return (await rig.pool.query(asked, [clock])).rows
}

/** As live read models take batches: with the clock that the one before left. */
async function taken(batches: readonly Decoded[][], expired: number): Promise<Date | null> {
  let { clock } = target
  for (const events of batches.map((batch) => batch.map(readable))) {
    const applying = { projection: noted, target: { ...target, clock }, limits: { expired } }
    await inTransaction(rig.pool, (db) => applyEvents(db, applying, events))
    clock = clockAfter(noted, clock, events)
  }
  return clock
}

/** How far a filling has come, as its tables know it. */
type Stand = Pick<Target, 'position' | 'clock'>
const BEGIN: Stand = { position: START, clock: null }

/** Into tables that hold nothing, or what a filling before had left; one that is killed does not write its last rows. */
async function filled(
  batches: readonly Decoded[][],
  letGo: readonly boolean[],
  { from = BEGIN, killed = false } = {},
): Promise<Stand> {
  if (batches.length === 0) return from
  const { pool } = rig
  let stand = from
  const model = new FillingModel(
    {
      pool,
      projection: noted,
      target: { ...target, ...from },
      empty: from.position === START,
      head: endOf(batches.at(-1)!),
      signal: new AbortController().signal,
      note: async (_db, { to: position, clock }) => {
        stand = { position, clock }
      },
      onPage: () => undefined,
      index: () => inTransaction(pool, (db) => createIndexes(db, noted, target)),
    },
    new Turns(),
  )
  for (const [number, events] of batches.entries()) {
    await model.take({ events, to: endOf(events), passed: events.length })
    if (letGo[number]) {
      for (const one of model.inMemory) one.letGo()
      await model.write()
    }
  }
  await (killed ? model.written() : model.finish())
  return stand
}

test('changes by where meet the rows that are so at their turn, however the batches are cut', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.constantFrom(0, 1, 1_000), async ({ events, cuts }, expired) => {
      await truncate()
      const clock = await taken(cutAt(events.map(decoded), cuts), expired)
      expect(await alive(clock)).toEqual(plainly(events))
      expect(await notes()).toBe(events.length)
      const { rows } = await rig.pool.query(`select id from ${table()}`)
      if (expired === 1_000) expect(rows).toHaveLength(plainly(events).length)
    }),
    STORED_RUNS,
  )
})

test('a filling gives the same rows, in memory, let go of in the middle, or resumed', async () => {
  await fc.assert(
    fc.asyncProperty(histories, letGo, killed, async ({ events, cuts }, gone, killedAfter) => {
      await truncate()
      const batches = cutAt(events.map(decoded), cuts)
      const from = await filled(batches.slice(0, killedAfter), gone, { killed: true })
      const { clock } = await filled(batches, gone, { from })
      expect(await alive(clock)).toEqual(plainly(events))
      expect(await notes()).toBe(events.length)
    }),
    STORED_RUNS,
  )
})

test('a filling that is resumed knows the time that it had come to', async () => {
  await truncate()
  const ends = new Date('2026-01-10')
  const row = { id: 'one', room: null, kind: 'a', n: 0, list: [], since: null, ends }
  const late = decoded({ changes: [], at: new Date('2026-01-20') }, 0)
  const from = await filled([[late]], [])
  const early = decoded({ changes: [put(thing, row)], at: new Date('2026-01-01') }, 1)
  const { clock } = await filled([[early]], [], { from })
  expect(clock).toEqual(new Date('2026-01-20'))
  expect((await rig.pool.query(`select id from ${table()}`)).rows).toEqual([])
})

test('a fold in memory alone gives the same rows', () => {
  fc.assert(
    fc.property(histories, ({ events }) => {
      const sets = emptySets(noted)
      const all = events.map(decoded).map(readable)
      foldChanges(changesOf(noted, all), sets)
      setClock(sets, clockAfter(noted, null, all))
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

test('a change that names the row by its key finds it by no other index', async () => {
  const planOf = async (where: Parameters<typeof updateWhere<ThingRow>>[1]) => {
    const asked: pg.QueryConfig[] = []
    const db = { query: async (one: pg.QueryConfig) => asked.push(one) } as unknown as pg.ClientBase
    await runGroup(db, table(), layoutOf(thing), [updateWhere(thing, where, { n: 1 }) as SetChange])
    const [{ text, values }] = asked as [pg.QueryConfig]
    const client = await rig.pool.connect()
    await client.query(`begin; alter table ${table()} drop constraint thing_pkey; set local enable_seqscan = off`)
    const { rows } = await client.query(`explain (format json) ${text}`, values)
    await client.query('rollback')
    client.release()
    return JSON.stringify(rows)
  }
  expect(await planOf({ room: 'red' })).toContain('thing_1')
  expect(await planOf({ room: 'red', id: 'one' })).not.toContain('thing_1')
})

test('a value that the column does not take ends the batch before a row is changed', async () => {
  const fails = (change: object) => () => foldChanges([change as SetChange], emptySets(noted))
  expect(fails(updateWhere(thing, { room: 'red' }, { kind: null as never }))).toThrow('thing.kind is missing')
  expect(fails(removeWhere(thing, { kind: { atMost: 'a' } }))).toThrow('thing.kind cannot be compared')
  expect(fails(removeWhere(thing, { list: 'a' as never }))).toThrow('thing.list cannot be compared')
  expect(() => updateWhere(thing, {}, { id: 'other' })).toThrow('may not change the key')
})

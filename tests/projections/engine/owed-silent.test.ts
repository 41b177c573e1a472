import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BatchProcessor } from '../../../projections/engine/batch-processor.ts'
import { findLive } from '../../../projections/engine/checkpoints.ts'
import { createDecode } from '../../../projections/engine/decoding.ts'
import { relations } from '../../../projections/relations/project.ts'
import { until } from '../../support/until.ts'
import { AT, type EngineRig, member, pairStream, startEngineRig } from '../engine-rig.ts'

const ann = member('Ann')
const friends = Array.from({ length: 20 }, (_, index) => member(`friend ${index}`))
const TABLE = `p_relations_v${relations.version}.relation`
const [PIECE, SILENT_MS] = [5, 200]
let rig: EngineRig
let silent: { go(): Promise<void> } | undefined
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(async () => {
  await silent?.go()
  await rig.stop()
})

/** Ann has a relation with each friend, in tables that nobody feeds. */
async function related() {
  const projector = rig.project([relations], { piece: PIECE })
  await projector.start()
  for (const friend of friends)
    await rig.append(pairStream(ann, friend), { type: 'Matched', members: [ann, friend], at: AT })
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  await rig.stopProjectors()
  return (await findLive(rig.pool, 'relations'))!
}

/** As a connection that is silent: what asks the table gets no answer until `go`. */
async function silence(table: string) {
  const db = new pg.Client(rig.config)
  await db.connect()
  await db.query(`begin; lock table ${table} in access exclusive mode`)
  silent = {
    async go() {
      silent = undefined
      await db.query('rollback')
      await db.end()
    },
  }
  return silent
}

const looksNow = async () => {
  const asked = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'select t.ctid%'`
  return (await rig.pool.query(asked)).rowCount
}

const rejects = async (work: Promise<unknown>) => {
  const at = performance.now()
  await expect(work).rejects.toThrow(/silent|no answer|statement timeout|lease ended/)
  expect(performance.now() - at).toBeLessThan(10_000)
}

test('a silent connection at a look for what is owed, or for its rows, is given up, and the next look pays', async () => {
  const target = await related()
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection: relations, piece: PIECE }
  const limited = { ...deps, silentMs: SILENT_MS }
  const processor = await BatchProcessor.of(limited, target, { poison: 'quarantined', owes: true })
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  await processor.take(await rig.log.read(`member-${ann}`), target.logId)
  const owed = await silence('app.projection_owed')
  await rejects(processor.payPiece())
  await owed.go()
  const rows = await silence(TABLE)
  await rejects(processor.payPiece())
  // Also where others came meanwhile and nobody waited for it.
  expect(await processor.payPiece(Promise.resolve())).toBe(true)
  await expect.poll(() => processor.payPiece(Promise.resolve()).catch(({ message }) => message)).not.toBe(true)
  await expect.poll(() => rig.pool.totalCount - rig.pool.idleCount).toBe(0)
  await rows.go()
  while (await processor.payPiece());
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('a look that is given up ends in Postgres too', async () => {
  const target = await related()
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection: relations, piece: PIECE }
  const processor = await BatchProcessor.of({ ...deps, silentMs: 10 * SILENT_MS }, target, {
    poison: 'quarantined',
    owes: true,
  })
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  await processor.take(await rig.log.read(`member-${ann}`), target.logId)
  const rows = await silence(TABLE)
  const paid = processor.payPiece()
  await Promise.all([rejects(paid), until('it looks', async () => (await looksNow()) === 1)])
  await until('Postgres looks no more', async () => (await looksNow()) === 0)
  await rows.go()
  while (await processor.payPiece());
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('who waits for a silent look ends with its lease', async () => {
  const target = await related()
  const lease = new AbortController()
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection: relations, piece: PIECE }
  const asked = { poison: 'quarantined' as const, owes: true, until: lease.signal }
  const processor = await BatchProcessor.of({ ...deps, silentMs: 20_000 }, target, asked)
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  await processor.take(await rig.log.read(`member-${ann}`), target.logId)
  const last = friends.at(-1)!
  await rig.append(pairStream(ann, last), { type: 'Unmatched', by: last, target: ann, at: AT })
  const left = await rig.log.read(pairStream(ann, last), 1)
  const rows = await silence(TABLE)
  const paid = processor.payAll()
  await until('it looks', async () => (await looksNow()) === 1)
  lease.abort(new Error('the lease ended'))
  await rejects(paid)
  await rows.go()
  await expect(processor.take(left, target.logId)).rejects.toThrow('the lease ended')
})

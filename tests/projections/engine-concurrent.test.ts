import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { START } from '../../domain/shared/recorded.ts'
import { CheckpointConflict } from '../../projections/engine/apply.ts'
import { BatchProcessor } from '../../projections/engine/batch-processor.ts'
import { listTargets } from '../../projections/engine/checkpoints.ts'
import { createDecode } from '../../projections/engine/decoding.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { appendLoad, type EngineRig, quiet, startEngineRig } from './engine-rig.ts'

const toys = [tallies, lines]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

test('two concurrent projectors on the same tables leave no wrong row', async () => {
  const projectors = [rig.project(toys), rig.project(toys)]
  await Promise.all(projectors.map((projector) => projector.start()))
  await Promise.all([appendLoad(rig, 15, 'a'), appendLoad(rig, 15, 'b')])
  const head = await rig.log.head()
  expect(await Promise.all(projectors.map((projector) => projector.waitFor(head, undefined, 20_000)))).toEqual([
    true,
    true,
  ])
  expect(await rig.wrongRows(toys)).toEqual([])
  expect(rig.reports.filter(({ level }) => level === 'error')).toEqual([])
})

test('a batch that comes twice changes nothing the second time', async () => {
  await rig.project([tallies]).start()
  const [live] = await listTargets(rig.pool, 'tallies')
  await appendLoad(rig, 1)
  const projector = rig.project([tallies])
  await projector.start()
  await projector.waitFor(await rig.log.head(), undefined, 10_000)
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection: tallies }
  const late = await BatchProcessor.of(deps, live!, { poison: 'quarantined' })
  await expect(late.take(await rig.log.readAll(START, 100), null)).rejects.toThrow(CheckpointConflict)
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('a crash between the rows and the commit leaves neither rows nor checkpoint', async () => {
  await rig.project([tallies]).start()
  const stopped = rig.project([tallies])
  await stopped.stop()
  await rig.pool.query(`create function app.refuse() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`)
  const broken = quiet(new pg.Pool({ ...rig.config, max: 6 }))
  await rig.pool.query(`create constraint trigger crash after insert or update on p_tallies_v1.tally
    deferrable initially deferred for each row execute function app.refuse()`)
  await appendLoad(rig, 1)
  const head = await rig.log.head()
  const projector = rig.project([tallies], { pool: broken })
  await projector.start()
  expect(await projector.waitFor(head, undefined, 500)).toBe(false)
  expect((await rig.pool.query('select * from read.tally')).rows).toEqual([])
  expect((await listTargets(rig.pool, 'tallies'))[0]?.position).toBe(START)
  await rig.pool.query('drop trigger crash on p_tallies_v1.tally')
  expect(await projector.waitFor(head, undefined, 20_000)).toBe(true)
  expect(await rig.wrongRows([tallies])).toEqual([])
  expect((await rig.pool.query('select * from app.quarantine')).rows).toEqual([])
  await projector.stop()
  await broken.end()
})

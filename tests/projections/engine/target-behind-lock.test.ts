import { afterEach, beforeEach, expect, test } from 'vitest'
import { BatchProcessor } from '../../../projections/engine/batch-processor.ts'
import { lockProjection } from '../../../projections/engine/checkpoints.ts'
import { createDecode } from '../../../projections/engine/decoding.ts'
import { findOrMakeTarget } from '../../../projections/engine/targets.ts'
import { inTransaction } from '../../../projections/engine/transaction.ts'
import { lines } from '../../support/toy-projections.ts'
import { until } from '../../support/until.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const stream = pairStream(ann, bea)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

test('tables that others fill are taken up, though they have come on behind the end of the log that was seen before the lock', async () => {
  await rig.append(stream, sent(ann, bea, 1))
  const find = () => findOrMakeTarget(rig.pool, rig.log, lines)
  const begun = await find()
  if (begun.do !== 'fill') throw new Error(begun.do)
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection: lines }
  const others = await BatchProcessor.of(deps, begun.target, { poison: 'stops' })
  const logId = await rig.log.id()
  const found = await inTransaction(rig.pool, async (db) => {
    await lockProjection(db, lines.name)
    const finding = find()
    await until('it waits for the lock', async () => {
      const asked = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock%'`
      return (await rig.pool.query(asked)).rowCount === 1
    })
    await rig.append(stream, sent(ann, bea, 2))
    await others.take(await rig.log.read(stream), logId)
    return { finding }
  })
  expect(await found.finding).toMatchObject({ do: 'fill', target: { generation: 1, position: others.target.position } })
})

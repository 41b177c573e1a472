import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId } from '../../../../domain/shared/ids.ts'
import { commitSteps } from '../../../../projections/engine/apply.ts'
import { BatchProcessor } from '../../../../projections/engine/batch-processor.ts'
import { createDecode } from '../../../../projections/engine/decoding.ts'
import { findOrMakeTarget } from '../../../../projections/engine/targets.ts'
import type { Projection } from '../../../../projections/projection.ts'
import { lines, tallies } from '../../../support/toy-projections.ts'
import { AT, type EngineRig, member, pairStream, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

async function follow(projection: Projection): Promise<BatchProcessor> {
  const found = await findOrMakeTarget(rig.pool, rig.log, projection)
  if (found.do !== 'fill') throw new Error(found.do)
  const deps = { pool: rig.pool, decode: createDecode(rig.codec, rig.keys), projection }
  return BatchProcessor.of(deps, found.target, { poison: 'stops' })
}

test('the time limit of changes by where is not that of rows which go with them', async () => {
  const all = [await follow(tallies), await follow(lines)]
  const logId = await rig.log.id()
  await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  const first = await rig.log.read(pairStream(ann, bea))
  for (const one of all) await one.take(first, logId)
  // Longer than changes by `where` may take.
  await rig.pool.query(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.2); return new; end $$`)
  await rig.pool.query(
    'create trigger slow before insert or update on p_tallies_v1.tally for each row execute function slow()',
  )
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  const batch = await rig.log.read(`member-${ann}`)
  const steps = await Promise.all(all.map((one) => one.step(batch, logId)))
  await commitSteps(
    rig.pool,
    steps.filter((step) => step !== null),
  )
  const { rows } = await rig.pool.query(
    'select (select gone from p_tallies_v1.tally where member = $1), (select count(*)::int from p_lines_v1.line) as lines',
    [ann],
  )
  expect(rows).toEqual([{ gone: true, lines: 0 }])
})

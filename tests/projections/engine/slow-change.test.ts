import { afterEach, beforeEach, expect, test } from 'vitest'
import { lines, tallies } from '../../support/toy-projections.ts'
import { AT, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = [member('Ann'), member('Bea')]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

test('others of a lane do not wait for a statement that changes very many rows', async () => {
  const projector = rig.project([lines, tallies])
  await projector.start()
  const first = await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  expect(await projector.waitFor(first, undefined, 20_000)).toBe(true)
  await rig.pool.query(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(3); return old; end $$`)
  await rig.pool.query('create trigger slow before delete on p_lines_v1.line for each row execute function slow()')
  const gone = await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  expect(await projector.waitFor(gone, ['tallies'], 20_000)).toBe(true)
  expect(projector.positions().get('lines')).toBe(first)
  expect(await projector.waitFor(gone, ['lines'], 20_000)).toBe(true)
  expect(await rig.wrongRows([lines, tallies])).toEqual([])
})

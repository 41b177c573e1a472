import { afterEach, beforeEach, expect, test } from 'vitest'
import { dropOther, dropUnknown } from '../../../projections/engine/care/unknown-tables.ts'
import type { Projection } from '../../../projections/projection.ts'
import { lines } from '../../support/toy-projections.ts'
import { until } from '../../support/until.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const renamed: Projection = { ...lines, name: 'renamed' }
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** Live tables of both, and a view that the second has taken over. */
async function bothLive() {
  for (const projection of [lines, renamed]) {
    await rig.project([projection]).start()
    await rig.stopProjectors()
  }
  await rig.pool.query(`update app.projection_checkpoint set updated_at = now() - interval '61 minutes'`)
  await rig.pool.query('delete from app.projection_seen')
  expect(await viewOf('p_renamed_v1')).toBe(1)
}
const viewOf = async (schema: string) =>
  (await rig.pool.query(`select from information_schema.view_table_usage where table_schema = '${schema}'`)).rowCount
const byErasure = () => dropUnknown(rig.pool, [lines], 'all')
const byHand = () => dropOther(rig.pool, renamed.name, [lines])

test.each([byErasure, byHand])(
  'views that a renamed read model took over are given back when it goes (%#)',
  async (remove) => {
    await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
    await bothLive()
    expect(await remove()).toEqual(['p_renamed_v1'])
    expect(await viewOf('p_lines_v1')).toBe(1)
    expect(await rig.wrongRows([lines])).toEqual([])
  },
)

test('a view stays away where what is live is of another version, which makes it with the next swap', async () => {
  await bothLive()
  const next = { ...lines, version: 2 }
  expect(await dropUnknown(rig.pool, [next], 'all')).toEqual(['p_renamed_v1'])
  expect(await viewOf('p_lines_v1')).toBe(0)
  await rig.project([next]).start()
  await until('it is swapped in', async () => (await viewOf('p_lines_v2')) === 1)
})

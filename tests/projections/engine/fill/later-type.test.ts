import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCodec } from '../../../../eventstore/codec.ts'
import { listTargets } from '../../../../projections/engine/checkpoints.ts'
import { type RebuildDeps, rebuild } from '../../../../projections/engine/rebuild.ts'
import { fromLater, WITH_ANOTHER_TYPE } from '../../../eventstore/later-release.ts'
import { lines, tallies } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { AT, type EngineRig, member, pairStream, rebuildDepsOf, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const stream = pairStream(ann, bea)
/** Two pages of the log's table, and some more. */
const MANY = 600
const TWO_PAGES = 500
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const words = () => Array.from({ length: MANY }, (_, at) => sent(ann, bea, at + 1))
const waved = () => ({ ...fromLater('Waved'), data: { by: ann, target: bea, at: AT }, metadata: { schema: 1 } })

const WAYS: readonly (readonly [string, (deps: RebuildDeps) => RebuildDeps])[] = [
  ['the log’s table', (deps) => deps],
  ['the log', (deps) => ({ ...deps, table: undefined })],
]

test.each(WAYS)(
  'a filling from %s stops at a type of a later release, and keeps the pages before it',
  async (_, way) => {
    await rig.append(stream, ...words())
    await rig.log.append(stream, MANY - 1, [waved()])
    await expect(rebuild(way(rebuildDepsOf(rig)), tallies)).rejects.toThrow('Waved is no event of this release')
    const [last] = (await rig.log.read(stream)).slice(TWO_PAGES - 1)
    expect(await listTargets(rig.pool, 'tallies')).toMatchObject([{ state: 'filling', position: last!.position }])
    const { rows } = await rig.pool.query('select messages::integer from p_tallies_v1.tally where member = $1', [ann])
    expect(rows).toEqual([{ messages: TWO_PAGES }])
    expect((await rig.pool.query('select from app.quarantine')).rowCount).toBe(0)
  },
)

test.each(WAYS)(
  'a filling of the later release from %s goes by what its read model does not handle',
  async (_, way) => {
    await rig.append(stream, ...words().slice(0, 2))
    await rig.log.append(stream, 1, [waved()])
    const deps = { ...rebuildDepsOf(rig), codec: createCodec(rig.keys, WITH_ANOTHER_TYPE) }
    expect(await rebuild(way(deps), tallies)).toMatchObject({ swapped: true, position: await rig.log.head() })
  },
)

test('new tables whose filling meets it are not swapped in, and the projector is not ready', async () => {
  await rig.append(stream, ...words().slice(0, 2))
  await rebuild(rebuildDepsOf(rig), lines)
  await rig.log.append(stream, 1, [waved()])
  const projector = rig.project([{ ...lines, version: 2 }], { table: rig.logDatabase })
  await projector.start()
  await until('it has stopped', () => projector.status().every(({ error }) => error?.includes('too old')))
  expect(projector.status()).toMatchObject([{ state: 'filling', quarantined: 0 }])
})

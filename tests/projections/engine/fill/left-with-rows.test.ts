import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../../domain/all-events.ts'
import type { Log } from '../../../../eventstore/log.ts'
import { listTargets } from '../../../../projections/engine/checkpoints.ts'
import { rebuild } from '../../../../projections/engine/rebuild.ts'
import { fold, type Projection } from '../../../../projections/projection.ts'
import { fromLater } from '../../../eventstore/later-release.ts'
import { type TallyRow, tallies, tally } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { type EngineRig, member, pairStream, rebuildDepsOf, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const stream = pairStream(ann, bea)
/** Two pages of the log's table, and some more. */
const MANY = 600
const TWO_PAGES = 500
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const deps = () => rebuildDepsOf(rig)
const words = () => Array.from({ length: MANY }, (_, at) => sent(ann, bea, at + 1))
const rowsIn = async (schema: string): Promise<Pick<TallyRow, 'messages'>[]> =>
  (await rig.pool.query(`select messages::integer from ${schema}.tally where member = $1`, [ann])).rows

/** Its folds fail at this number, once those of the events before are done. */
const foldingWithout = (without: number): Projection => ({
  ...tallies,
  when: {
    ...tallies.when,
    MessageSent: (event: RecordedEvent<'MessageSent'>) => [
      ...tallies.when.MessageSent!(event),
      fold(tally, { member: event.to }, (row) => {
        if (event.number === without) throw new Error('no room')
        return row
      }),
    ],
  },
})

test('a filling that stops at an event of a later release keeps the pages before it', async () => {
  await rig.append(stream, ...words())
  await rig.log.append(pairStream(ann, cleo), 'no_stream', [fromLater()])
  await expect(rebuild(deps(), tallies)).rejects.toThrow('of a later release')
  const [target] = await listTargets(rig.pool, 'tallies')
  const [last] = (await rig.log.read(stream)).slice(TWO_PAGES - 1)
  expect(target).toMatchObject({ state: 'filling', position: last!.position })
  expect(await rowsIn('p_tallies_v1')).toEqual([{ messages: TWO_PAGES }])
})

test('a filling whose fold fails within a page keeps nothing of that page, and takes each event once', async () => {
  await rig.append(stream, ...words())
  const projector = rig.project([foldingWithout(TWO_PAGES + 50)], { table: rig.logDatabase })
  await projector.start()
  await until('it is live', () => projector.status()[0]!.state === 'live')
  expect(projector.status()).toMatchObject([{ quarantined: MANY - (TWO_PAGES + 49) }])
  expect(await rowsIn('p_tallies_v1')).toEqual([{ messages: TWO_PAGES + 49 }])
})

test('a filling that a lost log ends keeps the pages before that', async () => {
  await rig.append(stream, ...words())
  let pages = 0
  const readAll: Log['readAll'] = async (...page) => {
    if (++pages > 1) throw new Error('the log is gone')
    return rig.log.readAll(...page)
  }
  const given = { ...deps(), table: undefined, log: { ...rig.log, readAll } }
  await expect(rebuild(given, tallies)).rejects.toThrow('the log is gone')
  const [last] = (await rig.log.read(stream)).slice(TWO_PAGES - 1)
  expect(await listTargets(rig.pool, 'tallies')).toMatchObject([{ state: 'filling', position: last!.position }])
  expect(await rowsIn('p_tallies_v1')).toEqual([{ messages: TWO_PAGES }])
})

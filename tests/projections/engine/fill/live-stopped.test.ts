import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { uuidFrom } from '../../../../eventstore/ids.ts'
import { swapFilled } from '../../../../projections/engine/care/tables-by-hand.ts'
import { listTargets } from '../../../../projections/engine/checkpoints.ts'
import { rebuild } from '../../../../projections/engine/rebuild.ts'
import type { Projection } from '../../../../projections/projection.ts'
import { lines, linesWithout } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { type EngineRig, member, pairStream, rebuildDepsOf, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const poisoned = pairStream(ann, bea)
/** The message of number 13. */
const POISON = uuidFrom(poisoned, 1)

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const deps = () => rebuildDepsOf(rig)
const states = async () => (await listTargets(rig.pool, 'lines')).map(({ version, state }) => `${version} ${state}`)
const numbers = async () =>
  (await rig.pool.query('select number from read.line order by number')).rows.map(({ number }) => number)

/** What readers see stands before number 13, and nobody feeds it. */
async function stoppedBefore13(projection: Projection): Promise<void> {
  const projector = rig.project([projection])
  await projector.start()
  const last = await rig.append(poisoned, sent(ann, bea, 1))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
  await rig.append(poisoned, sent(ann, bea, 13))
  await rig.append(pairStream(ann, cleo), sent(ann, cleo, 20))
}

test.each([
  ['cannot take either', linesWithout(13)],
  ['can take', lines],
])('an event behind where live stopped, that its code %s, keeps no new version from readers', async (_, old) => {
  await stoppedBefore13(old)
  const next = rig.project([linesWithout(13, 2)])
  await next.start()
  await until('it is live', () => next.status()[0]!.state === 'live')
  expect(next.status()).toMatchObject([{ version: 2, error: null, quarantined: 1 }])
  expect(await numbers()).toEqual([1, 20])
})

test.each([
  ['is of another log', `epoch = 'another'`],
  ['is of what the log was before it was set back', `position = '00000000zzzzz'`],
])('an event that live has not taken, which %s, keeps no tables of this log from readers', async (_, changed) => {
  await stoppedBefore13(linesWithout(13))
  await rig.pool.query(`update app.projection_checkpoint set ${changed}`)
  const next = rig.project([linesWithout(13)])
  await next.start()
  await until('it is live', () => next.status()[0]!.state === 'live')
  expect(next.status()).toMatchObject([{ error: null, quarantined: 1 }])
  expect(await numbers()).toEqual([1, 20])
})

test('an event that live has yet to come to stops a new version while a process feeds live', async () => {
  await stoppedBefore13(lines)
  const feeder = new pg.Client(rig.config)
  await feeder.connect()
  try {
    await feeder.query(`insert into app.projector (process, pid, started, wants, behind, seen_at)
      select gen_random_uuid(), pid, backend_start, '{lines}', false, now() from pg_stat_activity
      where pid = pg_backend_pid()`)
    await feeder.query(`insert into app.projection_lease (name, process) select 'lines', process from app.projector`)
    await expect(rebuild(deps(), linesWithout(13, 2), { poison: 'as-live' })).rejects.toThrow(POISON)
  } finally {
    await feeder.end()
  }
})

test('new tables without what live has come to and taken meanwhile are made anew, and stop at it', async () => {
  await stoppedBefore13(lines)
  await rebuild(deps(), linesWithout(13, 2), { poison: 'as-live', swap: false })
  expect(await states()).toEqual(['2 filling', '1 live'])
  const old = rig.project([lines])
  await old.start()
  expect(await old.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  await rig.stopProjectors()

  await expect(swapFilled(deps(), linesWithout(13, 2))).rejects.toThrow('came to an event')
  expect(await states()).toEqual(['1 live'])
  const next = rig.project([linesWithout(13, 2)])
  await next.start()
  await until('it is stuck', () => next.status()[0]!.error)
  expect(next.status()).toMatchObject([{ state: 'filling', error: expect.stringContaining(POISON) }])
  expect(await numbers()).toEqual([1, 13, 20])
})

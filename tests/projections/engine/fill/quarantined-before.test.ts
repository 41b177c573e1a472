import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventType, RecordedEvent } from '../../../../domain/all-events.ts'
import { uuidFrom } from '../../../../eventstore/ids.ts'
import { findQuarantined } from '../../../../projections/engine/care/quarantined-keys.ts'
import { retryQuarantined } from '../../../../projections/engine/care/retry.ts'
import { projectionStatus } from '../../../../projections/engine/care/status.ts'
import { swapFilled } from '../../../../projections/engine/care/tables-by-hand.ts'
import { rebuild } from '../../../../projections/engine/rebuild.ts'
import type { Projection } from '../../../../projections/projection.ts'
import { cards, lines } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { AT, appendLoad, type EngineRig, member, pairStream, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const poisoned = pairStream(ann, bea)
const healthy = pairStream(ann, cleo)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** The projection in a version whose handler of one type fails where `fails` is true. */
function failing<T extends EventType>(
  projection: Projection,
  version: number,
  type: T,
  fails: (event: RecordedEvent<T>) => boolean,
): Projection {
  const handle = projection.when[type] as (event: RecordedEvent<T>) => ReturnType<Projection['when'][T] & {}>
  const failingHandle = (event: RecordedEvent<T>) => {
    if (fails(event)) throw new Error('no room')
    return handle(event)
  }
  return { ...projection, version, when: { ...projection.when, [type]: failingHandle } }
}

const without13 = (version: number) => failing(lines, version, 'MessageSent', ({ number }) => number === 13)

/** Live of version 1 has what waits behind number 13 in quarantine, and all else. */
async function liveWithout13(): Promise<void> {
  const projector = rig.project([without13(1)])
  await projector.start()
  await rig.append(poisoned, sent(ann, bea, 12), sent(ann, bea, 13), sent(bea, ann, 14))
  await appendLoad(rig, 2)
  const last = await rig.append(healthy, sent(ann, cleo, 1))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
  rig.reports.length = 0
}

const quarantined = async (version: number) =>
  (
    await rig.pool.query(
      'select stream, revision::integer, reason from app.quarantine where version = $1 order by position',
      [version],
    )
  ).rows
const numbersOf = async (room: string) =>
  (await rig.pool.query('select number from read.line where room = $1 order by number', [room])).rows.map(
    ({ number }) => number,
  )
const AS_LIVE = [
  { stream: poisoned, revision: 1, reason: expect.stringMatching(/^its handler failed/) },
  { stream: poisoned, revision: 2, reason: `waits behind ${uuidFrom(poisoned, 1)}` },
]

test('a new version goes live without what live has in quarantine, reports it, and gets it by a retry', async () => {
  await liveWithout13()
  const next = rig.project([without13(2)])
  await next.start()
  await until('it is live', () => next.status()[0]!.state === 'live')
  expect(next.status()).toMatchObject([{ version: 2, error: null, quarantined: 2 }])
  expect(rig.reports).toContainEqual({
    level: 'error',
    text: 'events of a read model are in quarantine',
    fields: { projection: 'lines', events: 2 },
  })
  expect(await quarantined(2)).toEqual(AS_LIVE)
  const { log, pool } = rig
  const [status] = await projectionStatus({ pool, log, projections: [without13(2)], now: () => new Date() })
  expect(status).toMatchObject({ quarantined: 2, lastFailed: { stream: poisoned, revision: 1 } })
  expect(await numbersOf(poisoned)).toEqual([12])
  expect(await numbersOf(healthy)).toEqual([1])

  const last = await rig.append(poisoned, sent(ann, bea, 15))
  expect(await next.waitFor(last, undefined, 10_000)).toBe(true)
  const mended = { ...lines, version: 2 }
  const [found] = await findQuarantined(rig, poisoned)
  expect(found).toMatchObject({ target: { version: 2 }, total: 3 })
  expect(await retryQuarantined(rig, mended, found!)).toMatchObject({ applied: 3, reason: null, incomplete: false })
  expect(await numbersOf(poisoned)).toEqual([12, 13, 14, 15])
  expect(await rig.wrongRows([mended])).toEqual([])
})

test('an event that live applied and a new version cannot take stops that by its name, until its code is mended', async () => {
  await liveWithout13()
  const broken = failing(without13(2), 2, 'MessageSent', ({ stream }) => stream === healthy)
  const next = rig.project([broken])
  await next.start()
  await until('it is stuck', () => next.status()[0]!.error)
  expect(next.status()).toMatchObject([
    { state: 'filling', error: expect.stringContaining(`MessageSent ${uuidFrom(healthy, 0)} (${healthy}@0)`) },
  ])
  expect(await quarantined(2)).toEqual(AS_LIVE)
  expect(await numbersOf(healthy)).toEqual([1])
  await rig.stopProjectors()

  const mended = rig.project([without13(2)])
  await mended.start()
  await until('it is live', () => mended.status()[0]!.state === 'live')
  expect(mended.status()).toMatchObject([{ version: 2, error: null, quarantined: 2 }])
  expect(await numbersOf(healthy)).toEqual([1])
})

test('what tables that were swapped out have in quarantine excuses no new version', async () => {
  await liveWithout13()
  const mended = rig.project([{ ...lines, version: 2 }])
  await mended.start()
  await until('it is live', () => mended.status()[0]!.state === 'live')
  await rig.stopProjectors()
  expect(await quarantined(1)).toHaveLength(2)
  const broken = rig.project([without13(3)])
  await broken.start()
  await until('it is stuck', () => broken.status()[0]!.error)
  expect(broken.status()).toMatchObject([{ state: 'filling', error: expect.stringContaining(uuidFrom(poisoned, 1)) }])
  expect(await quarantined(3)).toEqual([])
  expect(await numbersOf(poisoned)).toEqual([12, 13, 14])
})

test('an erasure that live applied ahead of what it waits behind stops a new version that cannot take it', async () => {
  const erasing: Projection = { ...cards, when: { ...cards.when, AccountErased: () => [] } }
  const fussy = (version: number) => failing(erasing, version, 'BioChanged', ({ member: who }) => who === ann)
  const old = rig.project([fussy(1)])
  await old.start()
  await rig.append(`profile-${ann}`, { type: 'BioChanged', member: ann, bio: 'Odd', at: AT })
  const last = await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  expect(await old.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
  expect((await quarantined(1)).map(({ stream }) => stream)).toEqual([`profile-${ann}`, `member-${ann}`])
  const next = rig.project([failing(fussy(2), 2, 'AccountErased', () => true)])
  await next.start()
  await until('it is stuck', () => next.status()[0]!.error)
  expect(next.status()).toMatchObject([{ state: 'filling', error: expect.stringContaining('AccountErased') }])
})

test('tables of the same version take over what live has in quarantine once live is of another log, and by no rebuild', async () => {
  await liveWithout13()
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  await expect(rebuild(deps, without13(1))).rejects.toThrow(`MessageSent ${uuidFrom(poisoned, 1)} (${poisoned}@1)`)
  await pool.query(`delete from app.projection_target where state = 'filling'`)
  await pool.query('drop schema p_lines_v1_2 cascade')
  await pool.query(`update app.projection_checkpoint set epoch = 'another'`)
  const next = rig.project([without13(1)])
  await next.start()
  await until('it is live', () => next.status()[0]!.state === 'live')
  expect(next.status()).toMatchObject([{ error: null, quarantined: 2 }])
  expect(await numbersOf(healthy)).toEqual([1])
})

test('what a retry gave live while a new version was filled is in that version too, or stops it', async () => {
  await liveWithout13()
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  await rebuild(deps, without13(2), { swap: false, poison: 'as-live' })
  expect(await quarantined(2)).toEqual(AS_LIVE)
  const [found] = await findQuarantined(rig, poisoned)
  expect(await retryQuarantined(rig, lines, found!)).toMatchObject({ applied: 2, reason: null })
  await expect(swapFilled(deps, without13(2))).rejects.toThrow('came to an event')
  expect(await numbersOf(poisoned)).toEqual([12, 13, 14])
  const mended = { ...lines, version: 2 }
  expect(await rebuild(deps, mended, { poison: 'as-live' })).toMatchObject({ swapped: true })
  expect(await numbersOf(poisoned)).toEqual([12, 13, 14])
  expect(await quarantined(2)).toEqual([])
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventNamed, RecordedEvent } from '../../domain/all-events.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { rebuild } from '../../projections/engine/rebuild.ts'
import type { Change, Projection } from '../../projections/projection.ts'
import { foldOfLog } from '../support/fold-of-log.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { appendLoad, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from './engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const poisoned = pairStream(ann, bea)
const healthy = pairStream(ann, cleo)
const toys = [tallies, lines]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const quarantined = async (name: string) =>
  (
    await rig.pool.query(
      'select stream, revision::integer, type, reason from app.quarantine where name = $1 order by position',
      [name],
    )
  ).rows

function notThirteen(event: RecordedEvent<'MessageSent'>): readonly Change[] {
  if (event.number === 13) throw new Error(`no room for ${event.text}`)
  return lines.when.MessageSent!(event)
}
const strictLines: Projection = { ...lines, when: { ...lines.when, MessageSent: notThirteen } }

/** An event whose text Postgres does not take. */
const unwritable: EventNamed<'MessageSent'> = { ...sent(ann, bea, 1), text: 'a\u0000secret' }

test('a poisonous event is set aside with the later ones of its stream, and everything else continues', async () => {
  const projector = rig.project(toys)
  await projector.start()
  await rig.append(poisoned, buzzed(ann, bea), unwritable, sent(ann, bea, 2), sent(bea, ann, 3))
  await rig.append(healthy, sent(ann, cleo, 1))
  await appendLoad(rig, 3)
  const position = await rig.append(poisoned, sent(ann, bea, 4))
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  expect(await quarantined('lines')).toMatchObject([
    { stream: poisoned, revision: 1, reason: expect.stringMatching(/^Postgres refused the row: 22/) },
    { revision: 2, reason: `waits behind ${uuidFrom(poisoned, 1)}` },
    { revision: 3 },
    { revision: 4 },
  ])
  expect(await quarantined('tallies')).toEqual([])
  expect(await rig.wrongRows([tallies])).toEqual([])
  const { rows } = await rig.pool.query('select room from read.line where room = any($1)', [[healthy, poisoned]])
  expect(rows).toEqual([{ room: healthy }])
  expect(projector.status().map(({ name, quarantined }) => [name, quarantined])).toEqual([
    ['tallies', 0],
    ['lines', 4],
  ])
  expect(JSON.stringify([rig.reports, await quarantined('lines')])).not.toContain('secret')
})

test('an event whose handler throws, or whose form is unknown, is poison too', async () => {
  const projector = rig.project([strictLines])
  await projector.start()
  await rig.append(poisoned, sent(ann, bea, 12), sent(ann, bea, 13), sent(ann, bea, 14))
  const broken = { id: uuidFrom('broken'), type: 'MessageSent', data: { odd: 'secret' }, metadata: { schema: 1 } }
  await rig.log.append('pair-odd', 'none', [broken])
  const position = await rig.append(healthy, sent(ann, cleo, 1))
  expect(await projector.waitFor(position, undefined, 10_000)).toBe(true)
  const reasons = (await quarantined('lines')).map(({ reason }) => reason)
  expect(reasons).toEqual([
    expect.stringMatching(/^its handler failed: Error at engine-poison\.test\.ts:\d+$/),
    expect.stringMatching(/^waits behind/),
    expect.stringMatching(/its fields do not fit/),
  ])
  const { rows } = await rig.pool.query('select number from read.line order by number')
  expect(rows.map(({ number }) => number)).toEqual([1, 12])
})

test('a restarted projector still holds back the streams in quarantine', async () => {
  const first = rig.project([lines])
  await first.start()
  await first.waitFor(await rig.append(poisoned, unwritable), undefined, 10_000)
  await first.stop()
  const second = rig.project([lines])
  await second.start()
  await second.waitFor(await rig.append(poisoned, sent(ann, bea, 2)), undefined, 10_000)
  expect((await quarantined('lines')).map(({ revision }) => revision)).toEqual([0, 1])
})

test('a lost database is no poison: the projector waits for it and continues', async () => {
  const projector = rig.project([tallies])
  await projector.start()
  await rig.pool.query('alter table app.projection rename to projection_away')
  await appendLoad(rig, 2)
  await until('the projector complains', () => projector.status()[0]!.error !== null)
  await rig.pool.query('alter table app.projection_away rename to projection')
  expect(await projector.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  expect(projector.status()[0]).toMatchObject({ error: null, quarantined: 0 })
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('a rebuild is strict: it names the event, stream and revision, and readers keep what they had', async () => {
  const projector = rig.project([lines])
  await projector.start()
  await rig.append(healthy, sent(ann, cleo, 1))
  await projector.waitFor(await rig.append(poisoned, sent(ann, bea, 1), unwritable), undefined, 10_000)
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  await expect(rebuild(deps, lines)).rejects.toThrow(
    `lines: MessageSent ${uuidFrom(poisoned, 1)} (${poisoned}@1): Postgres refused the row: 22`,
  )
  expect((await rig.pool.query('select * from read.line')).rows).toHaveLength(2)
  expect((await foldOfLog(log, codec, [lines])).get('line')?.size).toBe(2)
})

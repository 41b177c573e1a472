import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { listRebuilding } from '../../../../projections/engine/care/rebuild-lock.ts'
import { projectionStatus } from '../../../../projections/engine/care/status.ts'
import { dropUnfollowed } from '../../../../projections/engine/care/unfollowed-tables.ts'
import { Rests } from '../../../../projections/engine/rests.ts'
import { statusLines } from '../../../../server/tools/projections/lines.ts'
import { lines, linesWithout } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { countedPool } from '../../counted-pool.ts'
import { type EngineRig, member, pairStream, quiet, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const REST_MS = 300
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** A new version beside live that stops at an event, and when it did. */
async function stuck(restMs: number) {
  await rig.append(pairStream(ann, bea), sent(ann, bea, 1), sent(ann, bea, 13))
  const old = rig.project([lines])
  await old.start()
  expect(await old.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
  rig.reports.length = 0
  const { pool, since } = countedPool(rig.config)
  quiet(pool)
  onTestFinished(() => pool.end())
  const stops: number[] = []
  const query = pool.query.bind(pool) as (...given: unknown[]) => never
  pool.query = ((...given: unknown[]) => {
    if (String(given[0]).startsWith('update app.projection_checkpoint c set error')) stops.push(performance.now())
    return query(...given)
  }) as never
  await rig.project([linesWithout(13, 2)], { pool, restMs }).start()
  return { stops, since }
}

const stillSince = (ago: string) =>
  rig.pool.query('update app.projection_checkpoint set updated_at = now() - $1::interval', [ago])

test('a new version that stops at the same event rests longer each time, analyses its tables once, and is reported once', async () => {
  const { stops, since } = await stuck(REST_MS)
  await until('it stopped a few times', () => stops.length > 4, 20_000)
  const gaps = stops.slice(1, 5).map((at, index) => at - stops[index]!)
  const longer = gaps.map((gap, index) => gap >= [0, 1, 2, 4][index]! * REST_MS)
  expect(longer).toEqual([true, true, true, true])
  expect(since().filter((text) => text.startsWith('analyze'))).toHaveLength(1)
  expect(rig.reports.map(({ text }) => text)).toEqual(['filling a read model', 'a read model is stuck'])
})

test('status takes tables for left once the product that fills them has stopped, and not while it rests between two tries', async () => {
  const { stops } = await stuck(60_000)
  const filling = async () => {
    const of = { pool: rig.pool, log: rig.log, projections: [linesWithout(13, 2)], now: () => new Date() }
    return statusLines((await projectionStatus(of))[0]!).find((text) => text.includes('filling'))
  }
  await until('it rests', async () => stops.length > 1 && (await listRebuilding(rig.pool)).size === 0)
  expect(await filling()).toContain('stuck: lines: MessageSent')
  expect(await filling()).not.toContain('left since')
  await rig.stopProjectors()
  expect(await filling()).toContain('left since')
})

test('tables of a filling that rests are left by the sweep of old ones, as status shows, and go once the product has stopped', async () => {
  const { stops } = await stuck(60_000)
  await until('it rests', async () => stops.length > 1 && (await listRebuilding(rig.pool)).size === 0)
  await stillSince('8 days')
  expect(await dropUnfollowed(rig.pool, 'old')).toEqual({ schemas: [], busy: ['lines'] })
  await rig.stopProjectors()
  expect(await dropUnfollowed(rig.pool, 'old')).toEqual({ schemas: ['p_lines_v2'], busy: [] })
})

test('an erasure waits for a filling that rests, and takes it away once it has stood still for an hour', async () => {
  const { stops } = await stuck(60_000)
  await until('it rests', async () => stops.length > 1 && (await listRebuilding(rig.pool)).size === 0)
  expect(await dropUnfollowed(rig.pool, 'all')).toEqual({ schemas: [], busy: ['lines'] })
  await stillSince('61 minutes')
  expect(await dropUnfollowed(rig.pool, 'all')).toEqual({ schemas: ['p_lines_v2'], busy: [] })
})

test('whoever stops for another reason does not rest, and nobody for longer than a minute', () => {
  const rests = new Rests(1_000)
  const all = Array.from({ length: 9 }, () => rests.after('one'))
  expect(all).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  expect([rests.after('other'), rests.after('one'), rests.after('one')]).toEqual([0, 0, 1_000])
})

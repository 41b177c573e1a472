import { afterEach, beforeEach, expect, test } from 'vitest'
import { uuidFrom } from '../../eventstore/ids.ts'
import { pauseProjection, resumeProjection } from '../../projections/engine/care/pause.ts'
import { findQuarantined } from '../../projections/engine/care/quarantined-keys.ts'
import { withRebuildLock } from '../../projections/engine/care/rebuild-lock.ts'
import { retryQuarantined } from '../../projections/engine/care/retry.ts'
import { projectionStatus } from '../../projections/engine/care/status.ts'
import { rollback, swapFilled } from '../../projections/engine/care/tables-by-hand.ts'
import { touchedBy } from '../../projections/engine/care/touched-by.ts'
import { listTargets } from '../../projections/engine/checkpoints.ts'
import { type RebuildOptions, rebuild } from '../../projections/engine/rebuild.ts'
import type { Projection } from '../../projections/projection.ts'
import { line, lines, tallies, tally } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { appendLoad, type EngineRig, member, pairStream, sent, startEngineRig } from './engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const stream = pairStream(ann, bea)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const deps = () => {
  const { log, codec, keys, pool } = rig
  return { log, codec, keys, pool, signal: new AbortController().signal }
}
const rebuildNow = (projection: Projection, options?: RebuildOptions) => rebuild(deps(), projection, options)
const states = async (name: string) =>
  (await listTargets(rig.pool, name)).map(({ generation, state }) => `${generation} ${state}`)

async function liveOf(projection: Projection) {
  const projector = rig.project([projection])
  await projector.start()
  await projector.waitFor(await rig.log.head(), undefined, 20_000)
  return projector
}

test('a rebuild whose rows differ from live names each with its events and swaps nothing', async () => {
  await rig.append(stream, sent(ann, bea, 1), sent(ann, bea, 2))
  await liveOf(lines)
  await rig.pool.query(`update p_lines_v1.line set text = 'forged' where number = 2`)
  const { swapped, verdict } = await rebuildNow(lines)
  expect(swapped).toBe(false)
  const [differing] = verdict!.tables[0]!.differing
  expect(differing).toMatchObject({ key: { room: stream, number: 2 }, side: 'differs', columns: ['text'] })
  const [explained] = await touchedBy(deps(), lines, [{ table: line, key: differing!.key }], verdict!.position)
  expect(explained!.row).toMatchObject({ text: 'word 2' })
  expect(explained!.touches).toMatchObject([{ stored: { id: uuidFrom(stream, 1) }, did: 'made' }])
  expect((await rig.pool.query('select text from read.line where number = 2')).rows).toEqual([{ text: 'forged' }])
  expect((await swapFilled(deps(), lines)).swapped).toBe(true)
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('tables left for later are swapped in caught up, and a rollback brings the earlier ones back caught up', async () => {
  await appendLoad(rig, 2)
  const projector = await liveOf(tallies)
  expect(await rebuildNow(tallies, { swap: false })).toMatchObject({ swapped: false, verdict: { same: true } })
  await appendLoad(rig, 2, 'more')
  expect(await swapFilled(deps(), tallies)).toMatchObject({ swapped: true, generation: 2 })
  await appendLoad(rig, 2, 'most')
  expect(await rollback(deps(), tallies)).toMatchObject({ swapped: true, generation: 1, verdict: { same: true } })
  expect(await states('tallies')).toEqual(['2 retired', '1 live'])
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('a second rebuild of one projection is refused, and the death of the first lets it in', async () => {
  await liveOf(tallies)
  await withRebuildLock(rig.pool, 'tallies', async () => {
    await expect(rebuildNow(tallies)).rejects.toThrow('Another rebuild of tallies is under way')
    await rig.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objsubid = 2
         and database = (select oid from pg_database where datname = current_database())`,
    )
    await until('the lock is free', async () => (await rebuildNow(tallies).catch(() => null))?.swapped)
  })
})

test('a paused read model stands still and says so, and continues when it is resumed', async () => {
  const projector = await liveOf(tallies)
  await pauseProjection(rig.pool, 'tallies')
  await appendLoad(rig, 1)
  const head = await rig.log.head()
  expect(await projector.waitFor(head, undefined, 300)).toBe(false)
  await until('it says so', () => projector.status()[0]?.state === 'paused' && projector.status()[0]?.error === null)
  const status = { pool: rig.pool, log: rig.log, projections: [tallies], now: () => new Date() }
  const [paused] = await projectionStatus(status)
  expect(paused).toMatchObject({ name: 'tallies', pausedSince: expect.any(Date), quarantined: 0 })
  expect(paused!.targets[0]!.lag).toMatchObject({ events: 33, more: false })
  expect(paused!.targets[0]!.lag!.bytes).toBeGreaterThan(3_000)
  await resumeProjection(rig.pool, 'tallies')
  expect(await projector.waitFor(head, undefined, 20_000)).toBe(true)
  const [live] = await projectionStatus(status)
  expect(live).toMatchObject({ pausedSince: null, targets: [{ lag: { events: 0 } }] })
  expect(live!.targets[0]!.eventsPerSecond).toBeGreaterThan(0)
  expect(live!.targets[0]!.diskBytes).toBeGreaterThan(8_000)
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('a rebuild swaps nothing in for a read model that is paused before it, and compares once that is resumed', async () => {
  const projector = await liveOf(tallies)
  await appendLoad(rig, 1)
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  await pauseProjection(rig.pool, 'tallies')
  await until('it is paused', () => projector.status()[0]?.state === 'paused')
  await appendLoad(rig, 1, 'more')
  await expect(rebuildNow(tallies)).rejects.toThrow(/paused at an earlier position/)
  expect(await states('tallies')).toEqual(['2 filling', '1 live'])
  await resumeProjection(rig.pool, 'tallies')
  expect(await rebuildNow(tallies)).toMatchObject({ swapped: true, verdict: { same: true } })
})

test('a retry applies what a key holds in order, and the projector that had it in quarantine resumes the key', async () => {
  let broken = true
  const picky: Projection = {
    ...lines,
    when: {
      ...lines.when,
      MessageSent: (event) => {
        if (broken && event.number === 1) throw new Error('not yet')
        return lines.when.MessageSent!(event)
      },
    },
  }
  const projector = await liveOf(picky)
  await rig.append(stream, sent(ann, bea, 1), sent(bea, ann, 2))
  await projector.waitFor(await rig.append(pairStream(ann, cleo), sent(ann, cleo, 5)), undefined, 20_000)
  const [quarantined] = await findQuarantined(rig, uuidFrom(stream, 1))
  expect(quarantined!.events.map(({ stored }) => stored.revision)).toEqual([0, 1])
  expect(await retryQuarantined(rig, picky, quarantined!)).toMatchObject({
    applied: 0,
    reason: expect.stringMatching(/handler failed/),
  })
  broken = false
  expect(await retryQuarantined(rig, picky, quarantined!)).toMatchObject({ applied: 2, reason: null })
  await projector.waitFor(await rig.append(stream, sent(ann, bea, 3)), undefined, 20_000)
  expect((await rig.pool.query('select * from app.quarantine')).rows).toEqual([])
  expect(await rig.wrongRows([picky])).toEqual([])
})

test('a row is explained by the events that changed it, those that match by a column included', async () => {
  await rig.append(stream, sent(ann, bea, 1), { type: 'Unmatched', by: ann, target: bea, at: new Date() })
  await appendLoad(rig, 1)
  const [one] = await touchedBy(deps(), lines, [{ table: line, key: { room: stream, number: 1 } }])
  expect(one!.touches.map(({ did, columns }) => [did, ...columns])).toEqual([['made'], ['changed', 'text']])
  const [none] = await touchedBy(deps(), tallies, [{ table: tally, key: { member: 'nobody' } }])
  expect(none).toMatchObject({ row: null, touches: [] })
})

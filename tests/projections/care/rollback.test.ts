import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { listRebuilding, REBUILD_LOCK, withRebuildLock } from '../../../projections/engine/care/rebuild-lock.ts'
import { projectionStatus } from '../../../projections/engine/care/status.ts'
import { rollback, swapFilled } from '../../../projections/engine/care/tables-by-hand.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import { type RebuildDeps, rebuild } from '../../../projections/engine/rebuild.ts'
import type { Projection } from '../../../projections/projection.ts'
import { statusLines } from '../../../server/tools/projections/lines.ts'
import { rollbackOne } from '../../../server/tools/projections/rebuilding.ts'
import { lines, linesWithout } from '../../support/toy-projections.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const stream = pairStream(ann, bea)
/** More than a page of the log's table. */
const MANY = 600
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** Writes with every page, and keeps nearly nothing in memory. */
const deps = (more: Partial<RebuildDeps> = {}): RebuildDeps => {
  const { log, codec, keys, pool, logDatabase: table } = rig
  const { signal } = new AbortController()
  return { log, codec, keys, pool, table, signal, writeEveryMs: -1, bytesInMemory: 100, ...more }
}
const states = async () =>
  (await listTargets(rig.pool, 'lines')).map(({ generation, state }) => `${generation} ${state}`)
const positionOf = async (generation: number) =>
  (await listTargets(rig.pool, 'lines')).find((one) => one.generation === generation)!.position

/** Follows the log, with tables of a second generation before which there are others. */
async function swappedOnce(projection: Projection) {
  await rig.append(stream, sent(ann, bea, 1), sent(ann, bea, 2))
  const projector = rig.project([projection])
  await projector.start()
  const settled = async () => expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  await settled()
  expect((await rebuild(deps(), projection)).swapped).toBe(true)
  expect(await states()).toEqual(['2 live', '1 retired'])
  return settled
}

/** A rollback that is stopped once it has written some of what came since the swap. */
async function stoppedRollback() {
  const settled = await swappedOnce(lines)
  await rig.append(stream, ...Array.from({ length: MANY }, (_, index) => sent(ann, bea, index + 3)))
  await settled()
  const stop = new AbortController()
  const before = await positionOf(1)
  const onProgress = () => stop.abort(new Error('it was stopped'))
  await expect(rollback(deps({ signal: stop.signal, onProgress }), lines)).rejects.toThrow()
  const left = await positionOf(1)
  expect(left > before && left < (await rig.log.head())).toBe(true)
  return { left, settled }
}

test('a rollback that was stopped while it filled resumes, and readers see its rows', async () => {
  const { left, settled } = await stoppedRollback()
  const from: string[] = []
  const onProgress: RebuildDeps['onProgress'] = (progress) => void from.push(progress.from)
  const done = await rollback(deps({ onProgress }), lines)
  expect(done).toMatchObject({ generation: 1, swapped: true, verdict: { same: true } })
  expect([...new Set(from)]).toEqual([left])
  expect(await states()).toEqual(['2 retired', '1 live'])
  await settled()
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a rebuild makes tables of its own beside what a rollback left, which no swap takes for new tables', async () => {
  const { left } = await stoppedRollback()
  for (const schema of ['p_lines_v1', 'p_lines_v1_2'])
    await rig.pool.query(`update ${schema}.line set text = 'forged' where number = 2`)
  await expect(swapFilled(deps(), lines)).rejects.toThrow('There are no filled tables of lines')
  const done = await rebuild(deps(), lines)
  expect(done).toMatchObject({ generation: 3, swapped: false, verdict: { same: false } })
  expect([await states(), await positionOf(1)]).toEqual([['3 filling', '2 live', '1 retired'], left])
  expect((await swapFilled(deps(), lines)).swapped).toBe(true)
  expect(await states()).toEqual(['3 live', '2 retired'])
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a rollback is possible beside tables that a rebuild left', async () => {
  await swappedOnce(lines)
  await rebuild(deps(), lines, { swap: false })
  expect(await rollback(deps(), lines)).toMatchObject({ generation: 1, swapped: true })
  expect(await states()).toEqual(['3 filling', '2 retired', '1 live'])
})

test('a rollback quarantines what live has in quarantine since the swap', async () => {
  const projection = linesWithout(13)
  const settled = await swappedOnce(projection)
  await rig.append(stream, sent(ann, bea, 13), sent(ann, bea, 14))
  await rig.append(pairStream(ann, cleo), sent(ann, cleo, 1))
  await settled()
  const done = await rollback(deps(), projection)
  expect(done).toMatchObject({ generation: 1, swapped: true, verdict: { same: true } })
  const { rows } = await rig.pool.query(
    'select event_id, generation from app.quarantine order by generation, app.quarantine.position',
  )
  const poisonous = [uuidFrom(stream, 2), uuidFrom(stream, 3)]
  expect(rows).toEqual([1, 2].flatMap((generation) => poisonous.map((event_id) => ({ event_id, generation }))))
})

test('a rollback that fails leaves the earlier tables to the next one', async () => {
  const projection = linesWithout(13)
  const settled = await swappedOnce(projection)
  await rig.append(stream, sent(ann, bea, 13))
  await settled()
  const unforgiving = { ...deps(), keysMost: 0 }
  await expect(rollback(unforgiving, projection)).rejects.toThrow('in quarantine')
  expect(await states()).toEqual(['2 live', '1 retired'])
  expect(await rollback(deps(), projection)).toMatchObject({ generation: 1, swapped: true })
})

test('a rollback to tables of another log is refused', async () => {
  await swappedOnce(lines)
  await rig.pool.query(`update app.projection_checkpoint set epoch = 'another' where generation = 1`)
  await expect(rollback(deps(), lines)).rejects.toThrow('were filled from another log')
  expect(await states()).toEqual(['2 live', '1 retired'])
})

test('a rollback to an older version warns of processes of newer code, and one within a version does not', async () => {
  const projector = rig.project([lines])
  await projector.start()
  await projector.waitFor(await rig.append(stream, sent(ann, bea, 1)))
  await rebuild(deps(), { ...lines, version: 2 })
  const { log, codec, keys, pool, logDatabase: table } = rig
  const tools = { core: { log, codec, keys, storage: { pool } }, table, signal: new AbortController().signal }
  const printed: string[] = []
  await rollbackOne(tools as never, lines, (text) => printed.push(text))
  const warning = expect.stringContaining('Stop every process of newer code that still runs: it fills version 2 again')
  expect(printed.slice(-2)).toEqual(['Readers of lines see p_lines_v1 again.', warning])

  await rebuild(deps(), lines)
  printed.length = 0
  await rollbackOne(tools as never, lines, (text) => printed.push(text))
  expect(printed.at(-1)).toBe('Readers of lines see p_lines_v1 again.')
})

test('status names the end of tables that nobody fills, and how a filling goes on', async () => {
  await stoppedRollback()
  await rebuild(deps(), lines, { swap: false })
  const status = async () => {
    const of = { pool: rig.pool, log: rig.log, projections: [lines], now: () => new Date() }
    return statusLines((await projectionStatus(of))[0]!)
  }
  const [live, filling, retired] = await status()
  const [time, kept] = ['[0-9-]+T[0-9:.]+Z', 'kept until [0-9-]+T[0-9:.]+Z']
  expect(live).not.toContain('kept until')
  expect(filling).toMatch(
    new RegExp(
      `lines_v1_3 {2}filling .* left since ${time}: "rebuild lines" goes on with them; ${kept} or the next erasure$`,
    ),
  )
  expect(retired).toMatch(new RegExp(`lines_v1 {2}retired .* ${kept}, the next swap or erasure$`))
  await withRebuildLock(rig.pool, 'lines', async () => {
    expect((await status())[1]).toMatch(/filling .* on disk$/)
  })
})

test('status names no rebuild for tables that other code left, which it would not go on with', async () => {
  const projector = rig.project([lines])
  await projector.start()
  await projector.waitFor(await rig.append(stream, sent(ann, bea, 1)))
  await rebuild(deps(), { ...lines, version: 2 }, { swap: false })
  const of = { pool: rig.pool, log: rig.log, projections: [lines], now: () => new Date() }
  const [, filling] = statusLines((await projectionStatus(of))[0]!)
  expect(filling).toMatch(/lines_v2 {2}filling .* left since \S+Z: kept until \S+Z or the next erasure$/)
})

test('a rebuild in another database of the server is none of this one', async () => {
  await rig.project([lines]).start()
  const elsewhere = new pg.Client(rig.logDatabase)
  await elsewhere.connect()
  try {
    await elsewhere.query(`select pg_advisory_lock(${REBUILD_LOCK})`, ['lines'])
    expect(await listRebuilding(rig.pool)).toEqual(new Set())
  } finally {
    await elsewhere.end()
  }
  await withRebuildLock(rig.pool, 'lines', async () => {
    expect(await listRebuilding(rig.pool)).toEqual(new Set(['lines']))
  })
})

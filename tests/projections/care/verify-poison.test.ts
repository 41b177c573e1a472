import { afterEach, beforeEach, expect, test } from 'vitest'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { pauseProjection, resumeProjection } from '../../../projections/engine/care/pause.ts'
import { planRebuild } from '../../../projections/engine/care/tables-by-hand.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import type { Projection } from '../../../projections/projection.ts'
import { verifyOne } from '../../../server/tools/projections/rebuilding.ts'
import { lines, linesWithout } from '../../support/toy-projections.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const stream = pairStream(ann, bea)

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** What the command prints, of this code beside live tables that other code feeds. */
async function verified(live: Projection, own: Projection): Promise<string[]> {
  await liveWith13(live)
  return printed(own)
}

async function liveWith13(live: Projection): Promise<void> {
  const projector = rig.project([live])
  await projector.start()
  const last = await rig.append(stream, sent(ann, bea, 12), sent(ann, bea, 13))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
}

async function printed(own: Projection): Promise<string[]> {
  const { log, codec, keys, pool, logDatabase: table } = rig
  const tools = { core: { log, codec, keys, storage: { pool } }, table, signal: new AbortController().signal }
  const lines: string[] = []
  await verifyOne(tools as never, own, (line) => lines.push(line))
  return lines
}

/** Tables of `own` without number 13 beside a live one without it, which a look at them has left since live was paused. */
async function leftWithout13(live: Projection, own: Projection): Promise<void> {
  await liveWith13(live)
  await pauseProjection(rig.pool, 'lines')
  await rig.append(pairStream(ann, cleo), sent(ann, cleo, 1))
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  await rebuild(deps, own, { swap: false, poison: 'as-live', whatever: true })
  await resumeProjection(rig.pool, 'lines')
  await rig.stopProjectors()
}
const numbers = async () =>
  (await rig.pool.query('select number from read.line order by number')).rows.map(({ number }) => number)
const states = async () => (await listTargets(rig.pool, 'lines')).map(({ state }) => state)

test('verify is without what live has in quarantine, and finds the same rows', async () => {
  expect(await verified(linesWithout(13), linesWithout(13))).toContain('  line: 1 row, the same')
  expect(await states()).toEqual(['live'])
})

test('verify names what live took and this code cannot, and leaves no tables', async () => {
  await expect(verified(lines, linesWithout(13))).rejects.toThrow(uuidFrom(stream, 1))
  expect(await states()).toEqual(['live'])
})

test('a rebuild of mended code makes the tables anew that others left without an event, and has all', async () => {
  await leftWithout13(linesWithout(13), linesWithout(13))
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  expect(await planRebuild(deps, lines)).toMatchObject({ does: 'fills new tables', goes: ['p_lines_v1_2'] })
  expect(await rebuild(deps, lines)).toMatchObject({ swapped: true })
  expect(await numbers()).toEqual([1, 12, 13])
})

test('a rebuild beside another version goes on with the tables that are without what that one is without', async () => {
  const own = linesWithout(13, 2)
  await leftWithout13(linesWithout(13), own)
  const { log, codec, keys, pool } = rig
  const from = new Set<string>()
  const onProgress = (progress: { readonly from: string }) => void from.add(progress.from)
  const deps = { log, codec, keys, pool, signal: new AbortController().signal, onProgress }
  const [begun] = await listTargets(pool, 'lines')
  expect(await planRebuild(deps, own)).toMatchObject({ does: 'resumes tables begun' })
  expect(await rebuild(deps, own)).toMatchObject({ swapped: true, generation: 1 })
  expect([...from]).toEqual([begun!.position])
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import type { Projection } from '../../../projections/projection.ts'
import { verifyOne } from '../../../server/tools/projections/rebuilding.ts'
import { lines, linesWithout } from '../../support/toy-projections.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const stream = pairStream(ann, bea)

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** What the command prints, of this code beside live tables that other code feeds. */
async function verified(live: Projection, own: Projection): Promise<string[]> {
  const projector = rig.project([live])
  await projector.start()
  const last = await rig.append(stream, sent(ann, bea, 12), sent(ann, bea, 13))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  const { log, codec, keys, pool, logDatabase: table } = rig
  const tools = { core: { log, codec, keys, storage: { pool } }, table, signal: new AbortController().signal }
  const printed: string[] = []
  await verifyOne(tools as never, own, (line) => printed.push(line))
  return printed
}
const states = async () => (await listTargets(rig.pool, 'lines')).map(({ state }) => state)

test('verify is without what live has in quarantine, and finds the same rows', async () => {
  expect(await verified(linesWithout(13), linesWithout(13))).toContain('  line: 1 row, the same')
  expect(await states()).toEqual(['live'])
})

test('verify names what live took and this code cannot, and leaves no tables', async () => {
  await expect(verified(lines, linesWithout(13))).rejects.toThrow(uuidFrom(stream, 1))
  expect(await states()).toEqual(['live'])
})

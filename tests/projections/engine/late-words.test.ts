import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCodec } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { AT, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** Words that came to the log right after the end of their author's account, and before the end of their key. */
async function eraseWhileWriting() {
  await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  return rig.append(pairStream(ann, bea), sent(ann, bea, 2))
}
const texts = async () =>
  (await rig.pool.query<{ text: string | null }>('select text from read.message order by number')).rows.map(
    ({ text }) => text,
  )

/** What a process has that has just begun: no keys in memory. */
function ownKeys() {
  const keys = createKeyRing(rig.pool, rig.masterKey)
  return { keys, codec: createCodec(keys) }
}

test('words behind the end of an account are in no row once its key is gone', async () => {
  const first = rig.project([conversations], ownKeys())
  await first.start()
  await first.stop()
  const last = await eraseWhileWriting()
  const second = rig.project([conversations], ownKeys())
  await second.start()
  expect(await second.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.keys.destroy(ann)
  expect(await texts()).toEqual([null, null])
  expect(await rig.wrongRows([conversations])).toEqual([])
})

test('neither are they in tables that were filled meanwhile', async () => {
  const last = await eraseWhileWriting()
  const projector = rig.project([conversations], ownKeys())
  await projector.start()
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.keys.destroy(ann)
  expect(await texts()).toEqual([null, null])
})

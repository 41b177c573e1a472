import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf } from '../../../server/tools/export/streams.ts'
import { fromLater } from '../../eventstore/later-release.ts'
import { type Rig, startRig } from '../../eventstore/rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.stop())

test('a copy of one’s data is not made without what a later release wrote', async () => {
  await rig.log.append('pair-a_b', 'no_stream', [fromLater('Waved')])
  const asking = { ...rig, signal: new AbortController().signal }
  const first = (stream: string) => eventsOf(asking, stream, (type) => type === 'MessageSent').next()
  await expect(first('pair-a_b')).rejects.toThrow('Waved is no event of this release')
  expect((await first('pair-c_d')).done).toBe(true)
})

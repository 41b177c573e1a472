import { expect, test } from 'vitest'
import { box, checkBytes } from '../support/hostile-clips.ts'

/** An index of tracks within tracks, the innermost with so many empty boxes. */
function indexOf({ depth, boxes }: { depth: number; boxes: number }): Buffer {
  let inner: Buffer = Buffer.concat(Array<Buffer>(boxes).fill(box('free')))
  for (let level = 0; level < depth; level++) inner = box('trak', inner)
  return box('moov', inner)
}

test('an index whose boxes lie deep within each other, or are many, is refused before anybody goes through it', async () => {
  await expect(checkBytes(indexOf({ depth: 1_000, boxes: 100_000 }))).rejects.toThrow('deep')
  await expect(checkBytes(indexOf({ depth: 5, boxes: 60_000 }))).rejects.toThrow('Too many')
  expect(await checkBytes(indexOf({ depth: 5, boxes: 40_000 }))).toEqual({ seconds: 0, isVideo: false })
})

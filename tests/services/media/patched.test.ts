import { expect, test } from 'vitest'
import { type Patch, patched } from '../../../services/media/parse/patched.ts'
import { opened } from '../support/hostile-clips.ts'

test('every piece of a file has the bytes of all patches in it', async () => {
  const bytes = Buffer.alloc(60)
  const patches: Patch[] = [3, 10, 11, 25, 40].map((at, n) => ({
    at,
    bytes: Buffer.alloc(n === 3 ? 12 : 1 + (n % 2), n + 1),
  }))
  patches.push({ at: 58, bytes: Buffer.from([9, 9]) })
  const whole = Buffer.from(bytes)
  for (const patch of patches) patch.bytes.copy(whole, patch.at)
  const { read } = patched(opened(bytes), patches)
  for (let start = 0; start < 60; start++)
    for (let end = start; end <= 60; end++) expect(await read(start, end)).toEqual(whole.subarray(start, end))
  expect(bytes.every((byte) => byte === 0)).toBe(true)
})

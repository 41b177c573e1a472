import { expect, test } from 'vitest'
import { programSeams } from './program-seams.ts'

test('the product killed between append and answer, in an upload and in an erasure loses, doubles and leaves nothing', async () => {
  const result = await programSeams({ commands: 0, media: 0, mail: 0, erase: 2 })
  expect(result).toMatchObject({ lost: 0, doubled: 0, wrong: [], left: [], mailsMissing: 0 })
})

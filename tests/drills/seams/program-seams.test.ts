import { expect, test } from 'vitest'
import { programSeams } from './program-seams.ts'

test('the product killed between append and answer, and in an erasure, loses, doubles and leaves nothing', async () => {
  const result = await programSeams({ commands: 1, media: 0, mail: 0, erase: 1 })
  expect(result).toMatchObject({ kills: 6, lost: 0, doubled: 0, wrong: [], left: [], mailsMissing: 0 })
})

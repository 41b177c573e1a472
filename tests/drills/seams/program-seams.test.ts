import { expect, test } from 'vitest'
import { programSeams } from './program-seams.ts'

test('the product killed between append and answer, and in an erasure, loses, doubles and leaves nothing', async () => {
  const result = await programSeams({ commands: 1, media: 0, mail: 0, erase: 1, reactor: 0 })
  expect(result.kills).toEqual({
    'append in the log': 2,
    'append and answer': 2,
    'append and kept answer': 1,
    erase: 1,
  })
  expect(result).toMatchObject({ lost: 0, doubled: 0, wrong: [], left: [], mailsMissing: 0 })
})

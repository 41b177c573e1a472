import { expect, test } from 'vitest'
import { programSeams } from './program-seams.ts'

test('the product killed behind an append, before its answer, and in an erasure, loses, doubles and leaves nothing', async () => {
  const result = await programSeams({ commands: 1, lateAlone: true, media: 0, mail: 0, erase: 1, reactor: 0 })
  expect(result.kills).toEqual({
    'append in the log': 1,
    'append and answer': 1,
    'append and kept answer': 1,
    erase: 1,
  })
  expect(result).toMatchObject({ lost: 0, doubled: 0, wrong: [], left: [], mailsMissing: 0 })
})

import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sealDraft } from '../../services/media/sealed-draft.ts'
import { tempDir } from '../support/temp-dir.ts'

async function draftOf(...pieces: readonly Buffer[]) {
  const path = join(tempDir(), 'draft')
  writeFileSync(path, '')
  const draft = await sealDraft({ path })
  for (const piece of pieces) await draft.append(piece)
  return { path, sent: await draft.end() }
}

test('a sealed draft gives back what was put into it, wherever one begins to read', async () => {
  const pieces = [1, 15, 16, 17, 5000, 70_000].map((length) => randomBytes(length))
  const whole = Buffer.concat(pieces)
  const { sent } = await draftOf(...pieces)
  expect(sent.size).toBe(whole.length)
  expect((await sent.bytes()).equals(whole)).toBe(true)
  const file = await sent.open()
  for (const start of [0, 1, 15, 16, 17, 4096, 74_999])
    for (const length of [1, 16, 33, 50])
      expect((await file.read(start, start + length)).equals(whole.subarray(start, start + length))).toBe(true)
  await file.close()
})

test('the same bytes are sealed differently each time, and are never plain', async () => {
  const bytes = Buffer.alloc(4096, 'a')
  const [one, two] = [await draftOf(bytes), await draftOf(bytes)]
  const [first, second] = [readFileSync(one.path), readFileSync(two.path)]
  expect(first.equals(second)).toBe(false)
  for (const sealed of [first, second]) expect(sealed.includes('aaaa')).toBe(false)
})

import { expect, test } from 'vitest'
import { checkTables } from '../../../services/media/parse/mp4-tables.ts'
import type { OpenFile } from '../../../services/media/sealed-draft.ts'

function box(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8, name.padStart(8), 'latin1')
  head.writeUInt32BE(8 + body.length)
  return Buffer.concat([head, body])
}

/** An index of tracks within tracks, the innermost with so many empty boxes. */
function indexOf({ depth, boxes }: { depth: number; boxes: number }): Buffer {
  let inner: Buffer = Buffer.concat(Array<Buffer>(boxes).fill(box('free', Buffer.alloc(0))))
  for (let level = 0; level < depth; level++) inner = box('trak', inner)
  return box('moov', inner)
}

async function check(bytes: Buffer): Promise<unknown> {
  const file: OpenFile = { read: async (start, end) => bytes.subarray(start, end), close: async () => undefined }
  return checkTables(file, bytes.length)
}

test('an index whose boxes lie deep within each other, or are many, is refused before anybody goes through it', async () => {
  await expect(check(indexOf({ depth: 1_000, boxes: 100_000 }))).rejects.toThrow('deep')
  await expect(check(indexOf({ depth: 5, boxes: 60_000 }))).rejects.toThrow('Too many')
  expect(await check(indexOf({ depth: 5, boxes: 40_000 }))).toEqual({ seconds: 0, isVideo: false })
})

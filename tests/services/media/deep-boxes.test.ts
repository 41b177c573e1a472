import { expect, test } from 'vitest'
import { makeClip } from '../support/clips.ts'
import { clipOf, entryOf, soundOf, trackOf } from '../support/hidden-tables.ts'
import { box, checkBytes, seenOf, uint32 } from '../support/hostile-clips.ts'

/** Boxes within boxes, the innermost with so many empty ones. */
function nested(name: string, { depth, boxes }: { depth: number; boxes: number }): Buffer {
  let inner: Buffer = Buffer.concat(Array<Buffer>(boxes).fill(box('free')))
  for (let level = 0; level < depth; level++) inner = box(name, inner)
  return inner
}

test('boxes deep within each other are one that nobody looks into', async () => {
  const udta = nested('udta', { depth: 1_000, boxes: 100_000 })
  const seen = await seenOf(soundOf(udta))
  expect(seen.includes('udta')).toBe(false)
  expect(seen.subarray(-72 - udta.length + 4, -72 - udta.length + 8).toString()).toBe('free')
  expect(await checkBytes(soundOf(udta))).toEqual(await checkBytes(soundOf()))
})

test('an index of more boxes than any clip has is refused before anybody goes through it', async () => {
  await expect(checkBytes(soundOf(nested('moov', { depth: 0, boxes: 60_000 })))).rejects.toThrow('Too many')
  expect(await checkBytes(soundOf(nested('moov', { depth: 0, boxes: 40_000 })))).toMatchObject({ isVideo: false })
})

test('a track that is neither picture nor sound is one box', async () => {
  const words = trackOf('meta', box('stsd', uint32(0, 0xffffffff)), box('stts', uint32(0, 0xffffffff)))
  expect((await seenOf(soundOf(words))).toString('latin1')).not.toContain('meta')
})

test('a box that is there again, or goes on beyond what it lies in, is refused', async () => {
  const table = box('stts', uint32(0, 0))
  await expect(checkBytes(clipOf({ moov: [trackOf('soun', table, table)] }))).rejects.toThrow('again')
  const long = box('stts', uint32(0, 0))
  long.writeUInt32BE(1_000)
  await expect(checkBytes(clipOf({ moov: [trackOf('soun', long)] }))).rejects.toThrow('larger than')
  const beside = [box('stsd', uint32(0, 1)), entryOf('mp4a')]
  await expect(checkBytes(clipOf({ moov: [trackOf('soun', ...beside)] }))).rejects.toThrow()
  const short = box('stsd', uint32(0, 1), box('mp4a'))
  await expect(checkBytes(clipOf({ moov: [trackOf('soun', short)] }))).rejects.toThrow()
})

test('a fragment has each track once, and as many as a clip may have', async () => {
  const fragment = (...tracks: readonly number[]) =>
    box('moof', ...tracks.map((track) => box('traf', box('tfhd', uint32(0x020000, track)))))
  const check = (...tracks: readonly number[]) => checkBytes(Buffer.concat([soundOf(), fragment(...tracks)]))
  const all = Array.from({ length: 33 }, (_, track) => track)
  expect(await check(...all.slice(1))).toMatchObject({ isVideo: false })
  await expect(check(...all)).rejects.toThrow('again')
  await expect(check(1, 2, 1)).rejects.toThrow('A track that is there again')
})

test('bytes behind a clip that are no box keep it from nobody', async () => {
  const clips = await Promise.all((['mp4', 'fragments'] as const).map((format) => makeClip({ format, seconds: 1 })))
  for (const clip of clips)
    for (const odd of ['0000000500000000', '000000016d646174', '00000001000000000000000000000002', '0d0a0d0a0d0a0d0a'])
      expect(await checkBytes(Buffer.concat([clip, Buffer.from(odd, 'hex')]))).toEqual(await checkBytes(clip))
})

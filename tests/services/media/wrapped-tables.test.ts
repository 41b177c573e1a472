import { expect, onTestFinished, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { randomId } from '../../../services/random-id.ts'
import { mediaProgram } from '../../support/programs/media-program.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { appDatabase } from '../support/app.ts'
import { makeClip } from '../support/clips.ts'
import { box, checkBytes, hugeTable, seenOf, uint32 } from '../support/hostile-clips.ts'
import { mediaIn } from '../support/media.ts'

const app = appDatabase()
const MIB = 1024 * 1024
const PARENTS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']

/** The clip with the box of this name inside what `wrap` makes of it; those around it grow. */
function wrapped(clip: Buffer, name: string, wrap: (inner: Buffer) => Buffer): Buffer {
  const boxes: Buffer[] = []
  for (let at = 0; at + 8 <= clip.length; ) {
    const size = clip.readUInt32BE(at) || clip.length - at
    const [kind, whole] = [clip.toString('latin1', at + 4, at + 8), clip.subarray(at, at + size)]
    const grown = PARENTS.includes(kind) ? box(kind, wrapped(whole.subarray(8), name, wrap)) : whole
    boxes.push(kind === name ? wrap(whole) : grown)
    at += size
  }
  return Buffer.concat(boxes)
}

const inside = (...names: readonly string[]) =>
  names.reduce(
    (wrap, name) => (inner: Buffer) => wrap(box(name, inner)),
    (inner: Buffer) => inner,
  )
const WRAPPERS: Readonly<Record<string, (inner: Buffer) => Buffer>> = {
  ...Object.fromEntries(
    ['dinf', 'edts', 'sinf', 'schi', 'wave', 'mvex', 'mfra', 'udta'].map((name) => [name, inside(name)]),
  ),
  'udta and meta': (inner) => box('udta', box('meta', inner)),
  'meta with a version': (inner) => box('udta', box('meta', uint32(0), inner)),
  'a description of samples': (inner) => box('stsd', uint32(0, 1), box('mp4a', Buffer.alloc(28), inner)),
}

test.each(Object.entries(WRAPPERS))('a table in %s is one that no parser sees', async (_, wrap) => {
  for (const name of ['stts', 'stsc', 'stsz', 'trun'] as const) {
    const clip = wrapped(await hugeTable(name), name, wrap)
    expect(clip.includes(name), name).toBe(true)
    const seen = await seenOf(clip).catch(refused)
    expect(seen.includes(name), name).toBe(false)
  }
})

/** Whoever refuses a file shows nothing of it. */
const refused = () => Buffer.alloc(0)

test('a table that promises more than there is has no place of its own', async () => {
  for (const name of ['stts', 'stsc', 'trun'] as const)
    await expect(checkBytes(await hugeTable(name)), name).rejects.toThrow(/promises? more/)
  const clip = await hugeTable('stsz')
  clip.write('stz2', clip.indexOf('stsz'), 'latin1')
  await expect(checkBytes(clip)).rejects.toThrow(/promises? more/)
  const whole = await makeClip({ format: 'mp4', seconds: 2 })
  const withEnd = wrapped(whole, 'mvhd', (mvhd) => Buffer.concat([mvhd, box('tfra', uint32(0))]))
  expect((await seenOf(withEnd)).includes('tfra')).toBe(false)
  expect(await checkBytes(whole)).toMatchObject({ isVideo: true })
})

/** Of so many fragments at one moment, with the word that leads to it. */
function endTable(entries: number): Buffer {
  const table = box(
    'tfra',
    uint32(0, 1, 0, entries),
    Buffer.alloc(entries * 11, Buffer.from('0000000000000000010101', 'hex')),
  )
  return box('mfra', table, box('mfro', uint32(0, table.length + 8 + 16)))
}

test('the table at the end of fragments costs nothing, wherever it lies', async () => {
  const ended: unknown[] = []
  const workers = createMediaWorkers({
    program: mediaProgram(),
    memoryBytes: 256 * MIB,
    onEnded: (by) => ended.push(by),
  })
  onTestFinished(() => workers.stop())
  const { media } = mediaIn(tempDir(), app, workers)
  const upload = (file: Buffer) => media.upload({ owner: { member: randomId() as MemberId }, purpose: 'voice', file })
  const clip = await makeClip({ format: 'fragments', seconds: 2, video: false })
  const table = endTable(400_000)
  for (const file of [Buffer.concat([clip, table]), Buffer.concat([clip, box('mdat', table)])])
    expect(await upload(file)).toMatchObject({ ok: true, media: { seconds: 2 } })
  expect(ended).toEqual([])
})

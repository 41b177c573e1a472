import { afterAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { readHead } from '../../../services/media/parse/webm-head.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { randomId } from '../../../services/random-id.ts'
import { mediaProgram } from '../../support/programs/media-program.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { appDatabase } from '../support/app.ts'
import { makeClip } from '../support/clips.ts'
import { opened } from '../support/hostile-clips.ts'
import { manyStreams } from '../support/hostile-ogg.ts'
import {
  CLUSTER,
  element,
  emptyWebm,
  HOSTILE_WEBM,
  recorded,
  SOUND,
  soundTrack,
  webmOf,
} from '../support/hostile-webm.ts'
import { mediaIn } from '../support/media.ts'

const app = appDatabase()
const MIB = 1024 * 1024
/** Longer than a machine needs whose cores others use too. */
const DEADLINE_MS = 60_000
const FAILED = { ok: false, reason: 'upload-failed' }

/** Why each process was ended in the middle of a file. */
const ended: unknown[] = []
const workers = createMediaWorkers({
  program: mediaProgram(),
  memoryBytes: 256 * MIB,
  deadlineMs: DEADLINE_MS,
  onEnded: (by) => ended.push(by),
})
afterAll(() => workers.stop())

/** Uploads of one member. */
function start() {
  const { media } = mediaIn(tempDir(), app, workers)
  const owner = { member: randomId() as MemberId }
  return { upload: (file: Buffer) => media.upload({ owner, purpose: 'chat', file }) }
}

/** What a parser sees. */
async function seenOf(file: Buffer): Promise<Buffer> {
  const seen = await readHead(opened(file), file.length)
  return seen.file.read(0, seen.size)
}

test.each(Object.entries(HOSTILE_WEBM))('%s costs no process', async (_, make) => {
  const { upload } = start()
  await upload(make())
  expect(ended).toEqual([])
})

test('more streams than a sound has cost an Ogg no process, and one beside it keeps it from nobody', async () => {
  const { upload } = start()
  expect(await upload(manyStreams(20_000))).toEqual(FAILED)
  const clip = await makeClip({ format: 'ogg', seconds: 1 })
  expect(await upload(Buffer.concat([manyStreams(7), clip]))).toMatchObject({ ok: true, media: { kind: 'audio' } })
  expect(ended).toEqual([])
})

const text = (id: string, words: string) => element(id, Buffer.from(words))
const cues = element('1c53bb6b', Buffer.alloc(30, 'bb86b38100b780', 'hex'))

test('what a recorder and an editor write beside a sound keeps it from nobody, and no parser sees it', async () => {
  const { upload } = start()
  const plain = await upload(recorded())
  expect(plain).toMatchObject({ ok: true, media: { kind: 'audio', seconds: 0.06 } })
  const info = [text('bf', '1234'), text('7ba9', 'A title'), text('4d80', 'An app'), element('4461', Buffer.alloc(8))]
  const tracks = element('1654ae6b', text('bf', '1234'), soundTrack(text('536e', 'A name'), text('22b59c', 'deu')))
  const behind = Buffer.concat([cues, element('1254c367', text('7373', 'A tag')), element('ec', Buffer.alloc(99))])
  const full = recorded(behind, info, tracks)
  expect(await upload(full)).toMatchObject({ ok: true, media: { seconds: 0.06 } })
  const seen = await seenOf(full)
  expect(seen.length).toBe(full.length)
  // Where an element of this name was.
  const idAt = (id: string) => full.indexOf(id, 0, 'hex')
  expect(['7ba9', '4d80', '4461', '536e', '22b59c'].map((id) => seen[idAt(id)])).toEqual(Array(5).fill(0xec))
})

test('groups of blocks, and blocks of several frames, are taken', async () => {
  const { upload } = start()
  const time = element('e7', Buffer.of(0))
  const block = (at: number) => element('a1', Buffer.from([0x81, 0, at, 0, 0xf8, 0xff, 0xfe]))
  const more = element('75a1', element('a6', element('ee', Buffer.of(1)), element('a5', Buffer.of(7))))
  const group = (at: number) =>
    element('a0', block(at), element('9b', Buffer.of(20)), element('75a2', Buffer.of(0)), more)
  const grouped = webmOf(SOUND, element(CLUSTER, time, element('ab', Buffer.of(9)), group(0), group(20)))
  expect(await upload(grouped)).toMatchObject({ ok: true, media: { seconds: 0.04 } })
  const laced = (at: number) => Buffer.from([0xa3, 0x8b, 0x81, 0, at, 0x84, 1, 0xf8, 0xff, 0xfe, 0xf8, 0xff, 0xfe])
  const lacing = webmOf(SOUND, element(CLUSTER, time, laced(0), laced(40), laced(80)))
  expect(await upload(lacing)).toMatchObject({ ok: true, media: { kind: 'audio' } })
})

test('what follows the packets and is no element is not there for a parser, nor is a block that is cut off', async () => {
  const whole = recorded()
  const odd = [
    Buffer.alloc(40),
    Buffer.from('114d9b740000', 'hex'),
    Buffer.from('114d9b74ff', 'hex'),
    whole,
    Buffer.from('\x40'),
  ]
  for (const behind of odd) expect((await seenOf(recorded(behind))).length).toBe(whole.length)
  const { upload } = start()
  expect(await upload(recorded(whole))).toMatchObject({ ok: true, media: { seconds: 0.06 } })
  expect(await upload(whole.subarray(0, -2))).toMatchObject({ ok: true, media: { seconds: 0.04 } })
  for (let bytes = 0; bytes < whole.length; bytes++)
    expect((await seenOf(whole.subarray(0, bytes)).catch(() => '')).length).toBeLessThanOrEqual(bytes)
})

test('elements of nothing are counted, in a cluster and in a group of blocks', async () => {
  const few = emptyWebm(1_000, 'group')
  expect((await seenOf(few)).length).toBe(few.length)
  for (const within of ['cluster', 'group'] as const)
    await expect(seenOf(emptyWebm(400_001, within))).rejects.toThrow('Too many')
})

test('a WebM has few tracks, before its packets, each described once, and none that is packed', async () => {
  const seen = async (...content: readonly Buffer[]) => (await seenOf(webmOf(...content))).length
  const cluster = element(CLUSTER, element('e7', Buffer.of(0)))
  const tracks = (count: number, ...more: readonly Buffer[]) =>
    element('1654ae6b', ...Array<Buffer>(count).fill(soundTrack(...more)))
  expect(await seen(tracks(32), cluster)).toBeGreaterThan(0)
  await expect(seen(tracks(33), cluster)).rejects.toThrow('there again')
  await expect(seen(tracks(1), tracks(1), cluster)).rejects.toThrow('not its own')
  await expect(seen(cluster, tracks(1))).rejects.toThrow('No tracks')
  await expect(seen(tracks(1, element('86', Buffer.from('A_OPUS'))), cluster)).rejects.toThrow('there again')
  await expect(seen(tracks(1, element('6d80', element('6240'))), cluster)).rejects.toThrow('packed')
  await expect(seen(tracks(1, element('e1', Buffer.from('b58841', 'hex'))), cluster)).rejects.toThrow()
  await expect(seen(tracks(1), element(CLUSTER, element('7373')))).rejects.toThrow('not its own')
})

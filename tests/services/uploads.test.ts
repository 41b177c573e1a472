import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import { sniff } from '../../services/media/kinds.ts'
import { randomId } from '../../services/random-id.ts'
import { tempDir } from '../support/temp-dir.ts'
import { appDatabase } from './support/app.ts'
import { makeClip, packetsOf } from './support/clips.ts'
import { mediaIn, workers } from './support/media.ts'
import { jpeg, picture } from './support/pictures.ts'
import { filesOf, withProc } from './support/processes.ts'

const app = appDatabase()
function start() {
  const world = mediaIn(tempDir(), app)
  const owner = { member: randomId() as MemberId }
  const send = (file: Uint8Array, purpose: MediaPurpose = 'photo') => world.media.upload({ owner, purpose, file })
  return { ...world, owner, send }
}

const CANARY = 'CANARY-52.5163-13.3777'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const HTML = '<!doctype html><script>alert(1)</script>'

/** A PNG of one colour whose head promises `side` pixels each way. */
function pixelFlood(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side)
  head.writeUInt32BE(side, 4)
  head[8] = 1
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side), { level: 9 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function crc32(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

test('what is no picture, video or sound is refused by its bytes, whatever it is called', async () => {
  const { send, files } = Object.assign(start(), { files: await picture(60, 60).toBuffer() })
  const heif = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), randomBytes(64)])
  const hostile = {
    svg: Buffer.from(SVG),
    'svg with a head': Buffer.from(`<?xml version="1.0"?>${SVG}`),
    html: Buffer.from(HTML),
    tiff: await sharp(files, { raw: { width: 60, height: 60, channels: 3 } })
      .tiff()
      .toBuffer(),
    heif,
    zip: Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(100)]),
    pdf: Buffer.from('%PDF-1.7\n%'),
    program: Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]), randomBytes(100)]),
    empty: Buffer.alloc(0),
    noise: randomBytes(5000).fill(0, 0, 16),
  }
  for (const [name, file] of Object.entries(hostile)) {
    expect(await send(file), name).toMatchObject({ ok: false, reason: 'unsupported' })
  }
})

test('a truncated picture, an empty shell and a flood of pixels are refused', async () => {
  const { send } = start()
  const whole = await jpeg(800, 600)
  const shell = Buffer.concat([whole.subarray(0, 20), Buffer.from(HTML)])
  const png = await picture(300, 300).png().toBuffer()
  for (const file of [whole.subarray(0, whole.length / 2), shell, png.subarray(0, png.length - 400)]) {
    expect(await send(file)).toMatchObject({ ok: false, reason: 'upload-failed' })
  }
  const flood = pixelFlood(16_000)
  expect(flood.length).toBeLessThan(64_000)
  const before = process.memoryUsage().rss
  expect(await send(flood)).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(process.memoryUsage().rss - before).toBeLessThan(100e6)
})

test('what hangs behind or inside a picture is not in what is stored', async () => {
  const { send, store } = start()
  const placed = await picture()
    .withExif({ IFD0: { Copyright: CANARY }, IFD3: { GPSLatitude: '52/1 30/1 0/1', GPSLongitude: '13/1 22/1 0/1' } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${CANARY}</a></x:xmpmeta>`)
    .jpeg()
    .toBuffer()
  const polyglot = Buffer.concat([placed, Buffer.from(`${HTML}${CANARY}`)])
  expect(polyglot.toString('latin1')).toContain(CANARY)
  const uploaded = await send(polyglot)
  if (!uploaded.ok) throw new Error(uploaded.reason)
  for (const id of [uploaded.media.id, uploaded.media.blurredId ?? '']) {
    const bytes = await store.read(id)
    expect(bytes.toString('latin1')).not.toMatch(/CANARY|<script>/)
    const { exif, xmp, iptc, icc } = await sharp(bytes).metadata()
    expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined])
  }
})

test('a picture is stored upright, and an animation as its first frame', async () => {
  const { send, store } = start()
  const turned = await send(await picture(300, 200).withExif({}).withMetadata({ orientation: 6 }).jpeg().toBuffer())
  expect(turned).toMatchObject({ ok: true, media: { width: 200, height: 300 } })
  const frames = await Promise.all([1, 2, 3].map((seed) => picture(50, 50, seed).png().toBuffer()))
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  expect((await sharp(moving).metadata()).pages).toBe(3)
  const still = await send(moving)
  if (!still.ok) throw new Error(still.reason)
  expect((await sharp(await store.read(still.media.id)).metadata()).pages ?? 1).toBe(1)
})

test('a MicroBuzz selfie is a small square, of at most 2 MB', async () => {
  const { send } = start()
  const small = await send(await jpeg(800, 600), 'microbuzz')
  expect(small).toMatchObject({ ok: true, media: { mime: 'image/jpeg', width: 320, height: 320 } })
  const heavy = await picture(1500, 1500).png({ compressionLevel: 0 }).toBuffer()
  expect(await send(heavy, 'microbuzz')).toMatchObject({ ok: false, reason: 'too-large' })
})

test('clips of every container keep their packets and lose what is written beside them', async () => {
  const { send, store } = start()
  for (const format of ['mp4', 'webm', 'ogg'] as const) {
    const clip = await makeClip({ format, seconds: 3, title: CANARY })
    expect(clip.toString('latin1')).toContain(CANARY)
    const uploaded = await send(clip, format === 'ogg' ? 'voice' : 'post')
    if (!uploaded.ok) throw new Error(`${format}: ${uploaded.reason}`)
    expect(uploaded.media).toMatchObject({ kind: format === 'ogg' ? 'audio' : 'video' })
    expect(uploaded.media.seconds).toBeCloseTo(3, 1)
    const stored = await store.read(uploaded.media.id)
    expect(stored.toString('latin1')).not.toContain(CANARY)
    expect(await sniff(stored)).not.toBeNull()
    expect(await packetsOf(stored)).toEqual(await packetsOf(clip))
  }
})

test('an MP4 has its index in front, so that it plays before all of it is there', async () => {
  const { send, store } = start()
  const uploaded = await send(await makeClip({ format: 'mp4', seconds: 2 }), 'post')
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const stored = (await store.read(uploaded.media.id)).toString('latin1')
  expect(stored.indexOf('moov')).toBeGreaterThan(0)
  expect(stored.indexOf('moov')).toBeLessThan(stored.indexOf('mdat'))
})

test('a video or a voice of more than a minute, or of too many pixels, is refused by its reason', async () => {
  const { send } = start()
  expect(await send(await makeClip({ format: 'mp4', seconds: 60, audio: false }), 'post')).toMatchObject({ ok: true })
  for (const format of ['mp4', 'webm'] as const) {
    const long = await makeClip({ format, seconds: 62, audio: false })
    expect(await send(long, 'post')).toEqual({ ok: false, reason: 'video-too-long' })
  }
  const voice = await makeClip({ format: 'ogg', seconds: 61 })
  expect(await send(voice, 'voice')).toEqual({ ok: false, reason: 'voice-too-long' })
  const wide = await makeClip({ format: 'mp4', seconds: 1, width: 1920, height: 1080 })
  expect(await send(wide, 'post')).toMatchObject({ ok: false, reason: 'too-wide' })
})

test('a container that lies about its length is measured by its packets', async () => {
  const { send } = start()
  const long = await makeClip({ format: 'mp4', seconds: 62, audio: false })
  const header = long.indexOf('mvhd')
  long.writeUInt32BE(1, header + 4 + 16)
  expect(await send(long, 'post')).toEqual({ ok: false, reason: 'video-too-long' })
})

/** A clip of which no packet can be found. */
const withoutSamples = (clip: Buffer) => clip.fill(0, clip.indexOf('stsd') + 8, clip.indexOf('stts') - 4)

test.each([
  [
    'the head of the file',
    (clip: Buffer) => clip.writeUInt32BE(62 * clip.readUInt32BE(clip.indexOf('mvhd') + 16), clip.indexOf('mvhd') + 20),
  ],
  [
    'the head of a track',
    (clip: Buffer) => clip.writeUInt32BE(62 * clip.readUInt32BE(clip.indexOf('mdhd') + 16), clip.indexOf('mdhd') + 20),
  ],
  [
    'the sum of its samples',
    (clip: Buffer) => clip.writeUInt32BE(62 * clip.readUInt32BE(clip.indexOf('mdhd') + 16), clip.indexOf('stts') + 16),
  ],
])(
  'a clip that claims more than a minute by %s is refused before its packets are looked for',
  async (_where, claim) => {
    const { send } = start()
    for (const [purpose, reason] of [
      ['post', 'video-too-long'],
      ['voice', 'voice-too-long'],
    ] as const) {
      const clip = await makeClip({ format: 'mp4', seconds: 1, video: purpose === 'post', audio: purpose === 'voice' })
      claim(clip)
      expect(await send(withoutSamples(clip), purpose)).toEqual({ ok: false, reason })
    }
  },
)

test('a clip that does not know its length, and one whose heads leave it out, are taken', async () => {
  const { send } = start()
  for (const units of [0, 0xffffffff]) {
    const clip = await makeClip({ format: 'mp4', seconds: 1 })
    for (const head of ['mvhd', 'mdhd']) clip.writeUInt32BE(units, clip.indexOf(head) + 20)
    expect(await send(clip, 'post')).toMatchObject({ ok: true })
  }
  expect(await send(await makeClip({ format: 'fragments', seconds: 2 }), 'post')).toMatchObject({ ok: true })
})

test('a truncated clip, and one where a picture belongs, are refused', async () => {
  const { send } = start()
  const clip = await makeClip({ format: 'mp4', seconds: 2 })
  expect(await send(clip.subarray(0, 200), 'post')).toMatchObject({ ok: false })
  expect(await send(clip, 'avatar')).toMatchObject({ ok: false, reason: 'unsupported' })
  expect(await send(clip, 'voice')).toMatchObject({ ok: false, reason: 'unsupported' })
  expect(await send(await jpeg(), 'voice')).toMatchObject({ ok: false, reason: 'unsupported' })
  const sound = await makeClip({ format: 'webm', seconds: 1, video: false })
  expect(await send(sound, 'voice')).toMatchObject({ ok: true, media: { kind: 'audio', mime: 'audio/webm' } })
})

withProc(() => {
  test('no file stays open after it is removed', async () => {
    const { send, root } = start()
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const content = await picture(120, 90).toFormat(format).toBuffer()
      expect(await send(content), format).toMatchObject({ ok: true })
    }
    expect(await send(await makeClip({ format: 'mp4', seconds: 1 }), 'post')).toMatchObject({ ok: true })
    const open = [process.pid, ...workers.pids()].flatMap(filesOf)
    expect(open.length).toBeGreaterThan(0)
    expect(open.filter((path) => path.startsWith(root))).toEqual([])
  })
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { MAX_BYTES, sniff } from '../../services/media/kinds.ts'
import { bareOf } from '../../services/media/parse/bare-picture.ts'
import { processImage } from '../../services/media/parse/images.ts'
import { strippedDescription } from '../../services/media/parse/strip-description.ts'
import { stripFor } from '../../services/media/parse/strip-packets.ts'
import { randomId } from '../../services/random-id.ts'
import { tempDir } from '../support/temp-dir.ts'
import { appDatabase } from './support/app.ts'
import { makeClip, packetsOf } from './support/clips.ts'
import { mediaIn } from './support/media.ts'
import { picture } from './support/pictures.ts'

const app = appDatabase()
const GPS = 'GPS 48.2082N 16.3738E'
const SPS = Buffer.from('6742000af841a2', 'hex')
const PPS = Buffer.from('68ce3880', 'hex')
const length16 = (unit: Buffer) => Buffer.from([unit.length >> 8, unit.length & 255])
const AVCC = Buffer.concat([
  Buffer.from('0142000affe1', 'hex'),
  length16(SPS),
  SPS,
  Buffer.from([1]),
  length16(PPS),
  PPS,
])

/** User data of no registered kind, after the unit's first byte: kind 5, length, sixteen bytes of an id, the text. */
const sei = (first: readonly number[]) =>
  Buffer.concat([
    Buffer.from([...first, 5, 16 + GPS.length]),
    Buffer.alloc(16, 7),
    Buffer.from(GPS),
    Buffer.from([0x80]),
  ])
const SLICE = Buffer.from([0x65, 0x88, 0x84, 0x21, 0xa0, 1, 2, 3])
const prefixed = (...units: Buffer[]) =>
  Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, unit.length]), unit]))

/** A second of H.264 with the user data of a camera in each picture. */
async function cameraClip(): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const pictures = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(pictures)
  await output.start()
  const decoderConfig = { codec: 'avc1.42000a', codedWidth: 128, codedHeight: 96, description: AVCC }
  for (let at = 0; at < 1; at += 0.5)
    await pictures.add(new EncodedPacket(prefixed(sei([6]), SLICE), 'key', at, 0.5), { decoderConfig })
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

const xiph = (first: Buffer, second: Buffer, third: Buffer) => {
  const laced = (length: number) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]
  return Buffer.concat([Buffer.from([2, ...laced(first.length), ...laced(second.length)]), first, second, third])
}
const text = (value: string) => Buffer.concat([Buffer.from(Uint32Array.of(value.length).buffer), Buffer.from(value)])
const COMMENTS = Buffer.concat([
  Buffer.from('\u0003vorbis'),
  text('camera'.repeat(50)),
  Buffer.from(Uint32Array.of(1).buffer),
  text(`LOCATION=${GPS}`),
  Buffer.from([1]),
])

async function stored(file: Buffer) {
  const folder = tempDir()
  const { media, root } = mediaIn(folder, app)
  const uploaded = await media.upload({ owner: { member: randomId() as MemberId }, purpose: 'chat', file })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const { id } = uploaded.media
  return readFile(join(root, id.slice(0, 2), id.slice(2, 4), id))
}

test('what a camera writes beside each picture of H.264 is not in what is stored, and each picture is', async () => {
  const clip = await cameraClip()
  expect(clip.toString('latin1')).toContain(GPS)
  const kept = await stored(clip)
  expect(kept.toString('latin1')).not.toContain(GPS)
  const { video = [] } = await packetsOf(kept)
  expect(video.map(([, bytes]) => bytes)).toEqual([prefixed(SLICE), prefixed(SLICE)].map((one) => one.toString('hex')))
})

test.each(['ogg', 'webm', 'mp4'] as const)(
  'titles and comments of a voice in %s are not in what is stored',
  async (format) => {
    const clip = await makeClip({ format, seconds: 1, video: false, title: GPS })
    expect(clip.toString('latin1')).toContain(GPS)
    expect((await stored(clip)).toString('latin1')).not.toContain(GPS)
  },
)

test('the comments that Vorbis keeps among its headers are not in what is stored of a WebM', async () => {
  const headers = xiph(Buffer.concat([Buffer.from('\u0001vorbis'), Buffer.alloc(23, 1)]), COMMENTS, Buffer.alloc(40, 5))
  const clean = Buffer.from(strippedDescription('vorbis', headers))
  expect(headers.toString('latin1')).toContain(GPS)
  expect([clean.toString('latin1').includes(GPS), clean.toString('latin1').includes('camera')]).toEqual([false, false])
  expect(clean.subarray(0, 3)).toEqual(Buffer.from([2, 30, 16]))
  expect(clean.subarray(-40)).toEqual(Buffer.alloc(40, 5))
  expect(() => strippedDescription('vorbis', headers.subarray(0, 60))).toThrow('do not fit')
})

test('units of H.264 and HEVC between start codes, and those of AV1, lose their user data too', () => {
  const code = Buffer.from([0, 0, 0, 1])
  const annex = Buffer.concat([code, SPS, code, PPS, code, sei([6]), code, SLICE])
  expect(stripFor('avc', undefined)?.(annex)).toEqual(Buffer.concat([code, SPS, code, PPS, code, SLICE]))
  const hevc = Buffer.from([0x26, 1, 9, 9])
  const hvcc = Buffer.concat([Buffer.alloc(21, 1), Buffer.from([3])])
  for (const kind of [39, 40, 50])
    expect(stripFor('hevc', hvcc)?.(prefixed(sei([kind << 1, 1]), hevc))).toEqual(prefixed(hevc))
  const metadata = Buffer.concat([Buffer.from([(5 << 3) | 2, GPS.length + 1, 4]), Buffer.from(GPS)])
  const frame = Buffer.from([(6 << 3) | 2, 3, 1, 2, 3])
  expect(stripFor('av1', undefined)?.(Buffer.concat([metadata, frame]))).toEqual(frame)
  expect(stripFor('vp9', undefined)).toBeNull()
})

test('a packet of user data alone, or one whose units do not fit, is refused', () => {
  const strip = stripFor('avc', AVCC)
  expect(() => strip?.(prefixed(sei([6])))).toThrow('without a picture')
  expect(() => strip?.(Buffer.from([0, 0, 0, 9, 1]))).toThrow('longer than its packet')
})

test('a packet of more units than a picture has is refused, whatever they are', () => {
  const none = Buffer.alloc(4_004)
  expect(() => stripFor('avc', AVCC)?.(none)).toThrow('Too many')
  expect(() => stripFor('avc', undefined)?.(Buffer.alloc(3_003, '000001', 'hex'))).toThrow('Too many')
  expect(() => stripFor('av1', undefined)?.(Buffer.alloc(2_002, '1200', 'hex'))).toThrow('Too many')
  const slices = Array<Buffer>(1_000).fill(SLICE)
  expect(stripFor('avc', AVCC)?.(prefixed(...slices))).toEqual(prefixed(...slices))
})

test('headers of FLAC, Opus and HEVC are cut to what a decoder needs', () => {
  const info = Buffer.concat([Buffer.from([0, 0, 0, 34]), Buffer.alloc(34, 3)])
  const block = Buffer.concat([Buffer.from([0x84, 0, 0, GPS.length]), Buffer.from(GPS)])
  const flac = Buffer.from(strippedDescription('flac', Buffer.concat([Buffer.from('fLaC'), info, block])))
  expect([flac.length, flac[4]]).toEqual([42, 0x80])
  const head = Buffer.concat([Buffer.from('OpusHead'), Buffer.from([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])])
  expect(strippedDescription('opus', Buffer.concat([head, Buffer.from(GPS)]))).toEqual(head)
  const array = (kind: number, unit: Buffer) => Buffer.concat([Buffer.from([kind, 0, 1]), length16(unit), unit])
  const sets = array(33, Buffer.from([0x42, 1, 1]))
  const hvcc = Buffer.concat([Buffer.alloc(22, 1), Buffer.from([2]), array(39, sei([78, 1])), sets])
  expect(strippedDescription('hevc', hvcc)).toEqual(Buffer.concat([Buffer.alloc(22, 1), Buffer.from([1]), sets]))
})

/** A chunk of a PNG, with the checksum that it should have or another. */
function chunk(type: string, data: Buffer, checksum = crc32(data, crc32(type))): Buffer {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(checksum)
  return Buffer.concat([length, Buffer.from(type), data, check])
}
/** On processors, not on the clock: a second. */
const PARSING_MICROSECONDS = 1_000_000
/** After the signature and the first chunk. */
const FIRST_BYTES = 33
const withChunks = (png: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, FIRST_BYTES), ...chunks, png.subarray(FIRST_BYTES)])

const BOMB = Buffer.concat([Buffer.from('GPS\0\0'), deflateSync(Buffer.alloc(50 * 1024 * 1024))])

test('text of a PNG is left out before anything reads it', async () => {
  const png = await picture().png().toBuffer()
  const texts = [chunk('zTXt', BOMB), chunk('tEXt', Buffer.from(`GPS\0${GPS}`)), chunk('iTXt', BOMB)]
  expect(bareOf(withChunks(png, ...texts), 'png').bytes).toEqual(png)
})

test('text of a PNG is not unpacked, however large it would be', async () => {
  const texts = Array<Buffer>(180).fill(chunk('zTXt', BOMB))
  const png = withChunks(await picture().png().toBuffer(), ...texts)
  expect(png.length).toBeLessThan(MAX_BYTES.image)
  const sniffed = await sniff(png)
  const before = process.cpuUsage()
  expect(await processImage(png, sniffed!, 'photo')).toMatchObject({ width: 300, height: 200 })
  expect(process.cpuUsage(before).user).toBeLessThan(PARSING_MICROSECONDS)
})

test('what is no text of a PNG, or fits in none of its chunks, is left as it is', async () => {
  const png = withChunks(await picture().png().toBuffer(), chunk('gAMA', Buffer.from([0, 0, 177, 143])))
  for (const bytes of [png, png.subarray(0, 50), png.subarray(0, 5), Buffer.concat([png, Buffer.from('tEXt')])])
    expect(bareOf(bytes, 'png')).toEqual({ bytes, exif: null })
})

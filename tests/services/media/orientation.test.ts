import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sniff } from '../../../services/media/kinds.ts'
import { bareOf } from '../../../services/media/parse/bare-picture.ts'
import { processImage } from '../../../services/media/parse/images.ts'
import { orientationIn } from '../../../services/media/parse/orientation.ts'

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const
const FORMATS = ['jpeg', 'png', 'webp'] as const

/** Red, green, blue and white, from the upper left to the lower right. */
const QUARTERS = [
  [220, 20, 20],
  [20, 220, 20],
  [20, 20, 220],
  [220, 220, 220],
] as const

/** Four colours, each on a quarter. */
const quarters = (width = 60, height = 40) =>
  sharp(Buffer.from(QUARTERS.flat()), { raw: { width: 2, height: 2, channels: 3 } }).resize(width, height, {
    fit: 'fill',
    kernel: 'nearest',
  })

/** A picture whose EXIF has this orientation. */
const lying = (format: (typeof FORMATS)[number], orientation: number, size: [number, number] = [60, 40]) =>
  quarters(...size)
    .withMetadata({ orientation })
    .toFormat(format)
    .toBuffer()

async function processed(sent: Buffer, purpose: 'photo' | 'microbuzz' = 'photo') {
  const sniffed = await sniff(sent)
  if (!sniffed) throw new Error('Not recognised.')
  return processImage(sent, sniffed, purpose)
}

/** Which of the colours the middle of each quarter has. */
async function seen(picture: Buffer): Promise<number[]> {
  const { data, info } = await sharp(picture)
    .resize(2, 2, { fit: 'fill', kernel: 'nearest' })
    .removeAlpha()
    .raw()
    .toBuffer({
      resolveWithObject: true,
    })
  return Array.from({ length: 4 }, (_, at) => {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * info.channels)
    return QUARTERS.findIndex(([r, g, b]) => Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) < 90)
  })
}

for (const format of FORMATS)
  test.each(ORIENTATIONS)(
    `a ${format} that lies as %i is as upright as a viewer shows it, at its size and shrunk`,
    async (orientation) => {
      for (const size of [
        [60, 40],
        [1440, 960],
      ] as [number, number][]) {
        const sent = await lying(format, orientation, size)
        expect((await sharp(sent).metadata()).orientation).toBe(orientation)
        const expected = await sharp(sent)
          .autoOrient()
          .resize({ width: 1080, height: 1350, fit: 'inside', withoutEnlargement: true })
          .toBuffer({ resolveWithObject: true })
        const { content, width, height } = await processed(sent)
        expect([width, height]).toEqual([expected.info.width, expected.info.height])
        expect(await seen(content)).toEqual(await seen(expected.data))
        expect((await sharp(content).metadata()).orientation).toBeUndefined()
        expect(await seen((await processed(sent, 'microbuzz')).content)).toEqual(await seen(expected.data))
      }
    },
  )

/** EXIF of so many entries, each of which refers to the directory that it is in. */
function endless(entries: number): Buffer {
  const exif = Buffer.alloc(10 + 12 * entries + 4)
  exif.write('MM\0*', 0, 'latin1')
  exif.writeUInt32BE(8, 4)
  exif.writeUInt16BE(entries, 8)
  for (let at = 10; at < 10 + 12 * entries; at += 12) {
    exif.writeUInt16BE(0x8769, at)
    exif.writeUInt16BE(4, at + 2)
    exif.writeUInt32BE(1, at + 4)
    exif.writeUInt32BE(8, at + 8)
  }
  return exif
}

const GPS = Buffer.from('GPS 48.2082N 16.3738E')
const PREFIX = Buffer.from('Exif\0\0', 'latin1')

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** These bytes of a JPEG behind its start. */
const inJpeg = async (...pieces: Buffer[]) => {
  const jpeg = await quarters().jpeg().toBuffer()
  return Buffer.concat([jpeg.subarray(0, 2), ...pieces, jpeg.subarray(2)])
}

async function inPng(exif: Buffer): Promise<Buffer> {
  const png = await quarters().png().toBuffer()
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(exif.length)
  check.writeUInt32BE(crc32(exif, crc32('eXIf')))
  return Buffer.concat([png.subarray(0, 33), length, Buffer.from('eXIf'), exif, check, png.subarray(33)])
}

/** A WebP that has EXIF already, with another instead. */
async function inWebp(exif: Buffer): Promise<Buffer> {
  const webp = await lying('webp', 6)
  const at = webp.indexOf('EXIF')
  const head = Buffer.from('EXIF\0\0\0\0')
  head.writeUInt32LE(exif.length, 4)
  const bytes = Buffer.concat([webp.subarray(0, at), head, exif])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  return bytes
}

const HOSTILE = {
  jpeg: () => inJpeg(segment(0xe1, Buffer.concat([PREFIX, endless(5_000)]))),
  'jpeg behind bytes that are none of its own': () =>
    inJpeg(
      segment(0xfe, GPS),
      Buffer.from('ffe200010000ff00ffffff', 'hex'),
      segment(0xe1, Buffer.concat([PREFIX, endless(5_000)])),
    ),
  'jpeg of many': () => inJpeg(...Array<Buffer>(4).fill(segment(0xe1, Buffer.concat([PREFIX, endless(5_000)])))),
  png: () => inPng(endless(5_000)),
  webp: () => inWebp(endless(5_000)),
}
/** On processors, not on the clock: a second. */
const PARSING_MICROSECONDS = 1_000_000

test.each(Object.entries(HOSTILE))(
  'EXIF of a %s that refers to itself is not followed',
  async (_format, make) => {
    const sent = await make()
    const before = process.cpuUsage()
    expect(await processed(sent)).toMatchObject({ width: 60, height: 40 })
    expect(process.cpuUsage(before).user).toBeLessThan(PARSING_MICROSECONDS)
  },
  60_000,
)

test.each(FORMATS)('a %s is opened without its EXIF, and is the same picture', async (format) => {
  const sent = await lying(format, 6)
  const { bytes, exif } = bareOf(sent, format)
  expect(exif && orientationIn(exif)).toBe(6)
  const { exif: left, orientation } = await sharp(bytes).metadata()
  expect([left, orientation]).toEqual([undefined, undefined])
  expect(Buffer.compare(await sharp(bytes).raw().toBuffer(), await sharp(sent).raw().toBuffer())).toBe(0)
})

test('what ends too early is left as it is', async () => {
  for (const format of FORMATS) {
    const sent = await lying(format, 6)
    for (let end = 0; end < Math.min(sent.length, 400); end++)
      expect(bareOf(sent.subarray(0, end), format).bytes.length).toBeLessThanOrEqual(end)
  }
})

/** EXIF with an orientation behind another entry. */
function exifOf(value: number, { order = 'MM\0*', type = 3, prefix = Buffer.alloc(0) } = {}): Buffer {
  const entries = [
    [0x010f, 2, 0],
    [0x0112, type, value],
  ] as const
  const exif = Buffer.alloc(10 + 12 * entries.length)
  exif.write(order, 0, 'latin1')
  const put = (number: number, at: number, bytes: number) =>
    order.startsWith('I') ? exif.writeUIntLE(number, at, bytes) : exif.writeUIntBE(number, at, bytes)
  put(8, 4, 4)
  put(entries.length, 8, 2)
  for (const [n, [tag, kind, content]] of entries.entries()) {
    put(tag, 10 + 12 * n, 2)
    put(kind, 12 + 12 * n, 2)
    put(1, 14 + 12 * n, 4)
    put(content, 18 + 12 * n, kind === 3 ? 2 : 4)
  }
  return Buffer.concat([prefix, exif])
}

test('an orientation is read in either order of bytes, with or without what EXIF begins with', () => {
  for (const value of ORIENTATIONS)
    for (const order of ['MM\0*', 'II*\0'])
      for (const type of [3, 4])
        for (const prefix of [Buffer.alloc(0), PREFIX])
          expect(orientationIn(exifOf(value, { order, type, prefix }))).toBe(value)
})

test('EXIF that is none, ends too early or has another number is of a picture that is upright', () => {
  for (const value of [0, 9, 65_535]) expect(orientationIn(exifOf(value))).toBe(1)
  expect(orientationIn(exifOf(6, { order: 'MM\0+' }))).toBe(1)
  expect(orientationIn(exifOf(6, { type: 2 }))).toBe(1)
  const whole = exifOf(6)
  for (let end = 0; end < whole.length; end++) expect(orientationIn(whole.subarray(0, end))).toBe(1)
  const far = Buffer.from(whole)
  far.writeUInt32BE(0xffffffff, 4)
  expect(orientationIn(far)).toBe(1)
  expect(orientationIn(endless(5_000))).toBe(1)
})

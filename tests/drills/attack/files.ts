import { crc32, deflateSync } from 'node:zlib'
import { makeClip } from '../../services/support/clips.ts'
import { HIDDEN, soundOf, warningClip } from '../../services/support/hidden-tables.ts'
import {
  box,
  fullChunks,
  hugeTable,
  repeatingVoice,
  timelessVoice,
  uint32,
} from '../../services/support/hostile-clips.ts'
import { manyStreams } from '../../services/support/hostile-ogg.ts'
import { cuedWebm, emptyWebm, HOSTILE_WEBM, headlessWebm } from '../../services/support/hostile-webm.ts'

/** A file, and the type that it claims to be of. */
export type Hostile = { readonly bytes: Buffer; readonly type: string }

const allAs =
  (type: string) =>
  ([name, bytes]: [string, Buffer]): [string, Hostile] => [name, { bytes, type }]

/**
 * Each of a kind of its own: tables that promise too much or stand where nobody looks, boxes in boxes, packets without time,
 * sizes without end, warnings, and a good clip that is broken or cut off.
 */
export async function clipBombs(): Promise<Readonly<Record<string, Hostile>>> {
  const made = (files: Readonly<Record<string, () => Buffer>>) =>
    Object.entries(files).map(([name, make]): [string, Buffer] => [name, make()])
  const clips = [...(await bombsOfSamples()), ...made(HIDDEN), ...made(BOXES)]
  return Object.fromEntries([
    ...clips.map(allAs('video/mp4')),
    ...made({ ...HOSTILE_WEBM, ...WEBM }).map(allAs('video/webm')),
    ...made({ 'streams beside each other': () => manyStreams(10_000) }).map(allAs('audio/ogg')),
  ])
}

/** Of clips that a recorder wrote, and of voices. */
async function bombsOfSamples(): Promise<[string, Buffer][]> {
  const names = ['stts', 'stsc', 'stsz', 'trun'] as const
  const tables = names.map(async (name): Promise<[string, Buffer]> => [`a ${name} without end`, await hugeTable(name)])
  const good = await makeClip({ format: 'mp4', seconds: 2 })
  return [
    ...(await Promise.all(tables)),
    ['chunks of all samples there can be', await fullChunks()],
    ['a voice at one moment', timelessVoice(300_000)],
    ['a voice of the same bytes', repeatingVoice(400, 100_000)],
    ['a good clip with broken bytes', broken(good)],
    ['a good clip that is cut off', good.subarray(0, Math.floor(good.length * 0.6))],
  ]
}

const deep = (levels: number): Buffer => (levels === 0 ? box('free') : box('udta', deep(levels - 1)))
const BOXES: Readonly<Record<string, () => Buffer>> = {
  'ways of being written that a parser warns of': () => warningClip(20, '\n{"a'),
  'boxes deep within each other': () => soundOf(deep(1_000)),
  'more boxes than any index has': () => soundOf(...Array<Buffer>(40_000).fill(box('free'))),
  'a box that claims to be of the size of all others': () =>
    soundOf(uint32(1), Buffer.from('moov'), uint32(0x7fffffff, 0)),
}
const WEBM: Readonly<Record<string, () => Buffer>> = {
  'cues without end': () => cuedWebm(600_000),
  'nothing, again and again in a cluster': () => emptyWebm(300_000, 'cluster'),
  'nothing, again and again in a group': () => emptyWebm(300_000, 'group'),
  'a head before the packets that is none': headlessWebm,
}

/** By which a clip is recognised: without it no parser would see the rest. */
const HEAD = 16

/** Every 97th byte behind the head turned over. */
function broken(good: Buffer): Buffer {
  const bytes = Buffer.from(good)
  for (let at = HEAD; at < bytes.length; at += 97) bytes[at] = (bytes[at] ?? 0) ^ 0xff
  return bytes
}

const SIDES = [16_000, 30_000, 60_000]

/** Pictures of many thousand million points in some kilobytes, and one that ends in the middle. */
export function imageBombs(): Hostile[] {
  const wide = SIDES.map((side) => ({ bytes: whitePng(side, side), type: 'image/png' }))
  const short = whitePng(8_000, 8_000)
  return [...wide, { bytes: short.subarray(0, short.length / 2), type: 'image/png' }, ...claimed()]
}

/** Pictures that declare a size and have no points. */
const claimed = (): Hostile[] =>
  [0xffff, 0x7fffffff].map((side) => ({ bytes: png(side, side, deflateSync(Buffer.alloc(64))), type: 'image/png' }))

function whitePng(width: number, height: number): Buffer {
  const row = Math.ceil(width / 8) + 1
  return png(width, height, deflateSync(Buffer.alloc(row * Math.min(height, 20_000), 0)))
}

function png(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(name), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

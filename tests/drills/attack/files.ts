import { crc32, deflateSync } from 'node:zlib'
import { makeClip } from '../../services/support/clips.ts'
import { HIDDEN, warningClip } from '../../services/support/hidden-tables.ts'
import { fullChunks, hugeTable, repeatingVoice, timelessVoice } from '../../services/support/hostile-clips.ts'
import { cuedWebm, endlessWebm, lacedWebm } from '../../services/support/hostile-webm.ts'

/** A file, and the type that it claims to be of. */
export type Hostile = { readonly bytes: Buffer; readonly type: string }

const MUTATED = 10
const clip = (bytes: Buffer): Hostile => ({ bytes, type: 'video/mp4' })

/**
 * Thirty kinds: tables that promise too much or stand where nobody looks, packets without time, sizes without end, warnings, and
 * good clips with broken bytes.
 */
export async function clipBombs(): Promise<Hostile[]> {
  const names = ['stts', 'stsc', 'stsz', 'trun'] as const
  const tables = await Promise.all(names.map(hugeTable))
  const built = [await fullChunks(), timelessVoice(300_000), repeatingVoice(400, 100_000)]
  const hidden = [...Object.values(HIDDEN).map((make) => make()), warningClip(20, '\n{"a')]
  const webm = [endlessWebm(), lacedWebm(1_000), lacedWebm(100_000), cuedWebm(600_000)].map((bytes) => ({
    bytes,
    type: 'video/webm',
  }))
  const good = await makeClip({ format: 'mp4', seconds: 2 })
  const mutated = Array.from({ length: MUTATED }, (_, seed) => broken(good, seed))
  return [...[...tables, ...built, ...hidden, ...mutated].map(clip), ...webm]
}

/** By which a clip is recognised: without it no parser would see the rest. */
const HEAD = 16

/** Every 97th byte or so turned over, from another place behind the head for each seed. */
function broken(good: Buffer, seed: number): Buffer {
  const bytes = Buffer.from(good)
  for (let at = HEAD + seed * 7; at < bytes.length; at += 97 + seed) bytes[at] = (bytes[at] ?? 0) ^ 0xff
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

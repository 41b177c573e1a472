import { readIndex } from '../../../services/media/parse/mp4-index.ts'
import { makeClip } from './clips.ts'

/** A file that is in memory. */
export const opened = (bytes: Buffer) => ({
  read: async (start: number, end: number) => bytes.subarray(start, end),
  close: async () => undefined,
})

/** The length that the index of these bytes claims; throws where something is wrong with it. */
export const checkBytes = async (bytes: Buffer) => (await readIndex(opened(bytes), bytes.length)).claimed

/** The bytes as a parser sees them. */
export async function seenOf(bytes: Buffer): Promise<Buffer> {
  const { file } = await readIndex(opened(bytes), bytes.length)
  return file.read(0, bytes.length)
}

export const uint32 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value, at * 4)
  })
  return bytes
}
const HUGE = 0xffffffff

/** A clip whose table of this name promises four thousand million entries. */
export async function hugeTable(name: 'stts' | 'stsc' | 'stsz' | 'trun'): Promise<Buffer> {
  const clip = await makeClip({ format: name === 'trun' ? 'fragments' : 'mp4', seconds: 2, video: false })
  const at = clip.indexOf(name) + 4
  if (name === 'stsz') clip.writeUInt32BE(HUGE, at + 8)
  else clip.writeUInt32BE(HUGE, at + 4)
  return clip
}

/** A clip whose chunks hold as many samples as can be written. */
export async function fullChunks(): Promise<Buffer> {
  const clip = await makeClip({ format: 'mp4', seconds: 2, video: false })
  const at = clip.indexOf('stsc')
  const size = clip.readUInt32BE(at - 4)
  return clip.fill(0xff, at + 12, at - 4 + size)
}

export function box(name: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(name, 'latin1'), body])
}

/** A voice of this many samples of one byte, all of them at its first moment. */
export const timelessVoice = (samples: number) =>
  voiceOf(samples, (at) => [
    box('stts', uint32(0, 1, samples, 0)),
    box('stsc', uint32(0, 1, 1, samples, 1)),
    box('stsz', uint32(0, 1, samples)),
    box('stco', uint32(0, 1, at)),
  ])

/** A voice whose samples are all the same bytes, which it has once: forty seconds of them. */
export const repeatingVoice = (samples: number, bytes: number) =>
  voiceOf(bytes, (at) => [
    box('stts', uint32(0, 1, samples, Math.floor((40 * 48_000) / samples))),
    box('stsc', uint32(0, 1, 1, 1, 1)),
    box('stsz', uint32(0, 0, samples, ...Array<number>(samples).fill(bytes))),
    box('stco', uint32(0, samples, ...Array<number>(samples).fill(at))),
  ])

/** `tables` are of samples that begin `at`. */
function voiceOf(bytes: number, tables: (at: number) => Buffer[]): Buffer {
  const zeros = (count: number) => Buffer.alloc(count)
  const head = box('ftyp', Buffer.from('M4A \0\0\0\0M4A isom'))
  const esds = Buffer.from('0380808022000100048080801440150000000001f4000001f40005808080021210068080800102', 'hex')
  const entry = box(
    'mp4a',
    zeros(7),
    Buffer.of(1),
    zeros(8),
    uint32(0x00020010, 0, 48_000 * 0x10000),
    box('esds', uint32(0), esds),
  )
  const table = (at: number) => box('stbl', box('stsd', uint32(0, 1), entry), ...tables(at))
  const matrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  const index = (at: number) =>
    box(
      'moov',
      box('mvhd', uint32(0, 0, 0, 1000, 1000, 0x10000, 0x01000000, 0, 0), matrix, zeros(24), uint32(2)),
      box(
        'trak',
        box('tkhd', uint32(3, 0, 0, 1, 0, 1000, 0, 0, 0, 0x01000000), matrix, uint32(0, 0)),
        box(
          'mdia',
          box('mdhd', uint32(0, 0, 0, 48_000, 48_000, 0x55c40000)),
          box('hdlr', uint32(0, 0), Buffer.from('soun'), zeros(13)),
          box('minf', box('smhd', uint32(0, 0)), table(at)),
        ),
      ),
    )
  const start = head.length + index(0).length + 8
  return Buffer.concat([head, index(start), box('mdat', zeros(bytes))])
}

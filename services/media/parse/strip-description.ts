import { stripObus } from './strip-packets.ts'

/** What a decoder gets at the start, without what players show: comments, pictures and user data. */
export function strippedDescription(codec: string, description: Uint8Array): Uint8Array {
  const bytes = Buffer.from(description.buffer, description.byteOffset, description.byteLength)
  switch (codec) {
    case 'vorbis':
      return withoutComments(bytes)
    case 'opus':
      return opusHead(bytes)
    case 'flac':
      return streamInfo(bytes)
    case 'hevc':
      return parameterSets(bytes)
    case 'av1':
      return Buffer.concat([bytes.subarray(0, 4), stripObus(bytes.subarray(4))])
    default:
      return bytes
  }
}

/** A comment header of Vorbis that names no vendor and holds no comment. */
const NO_COMMENTS = Buffer.concat([Buffer.from([3]), Buffer.from('vorbis'), Buffer.alloc(8), Buffer.from([1])])

/** Three headers, the first two after their lengths in Xiph's lacing. */
function withoutComments(bytes: Buffer): Buffer {
  if (bytes[0] !== 2) throw new Error('Not the three headers of Vorbis.')
  let at = 1
  const laced = () => {
    let length = 0
    for (let byte = 255; byte === 255; ) {
      byte = bytes.readUInt8(at++)
      length += byte
    }
    return length
  }
  const [first, second] = [laced(), laced()]
  if (first > 254 || at + first + second > bytes.length) throw new Error('Headers of Vorbis that do not fit.')
  const identification = bytes.subarray(at, at + first)
  const setup = bytes.subarray(at + first + second)
  return Buffer.concat([Buffer.from([2, first, NO_COMMENTS.length]), identification, NO_COMMENTS, setup])
}

const OPUS_HEAD_BYTES = 19

/** Of a fixed length, but for the table of channels that some have. */
function opusHead(bytes: Buffer): Buffer {
  const [channels, family] = [bytes.readUInt8(9), bytes.readUInt8(OPUS_HEAD_BYTES - 1)]
  return bytes.subarray(0, family === 0 ? OPUS_HEAD_BYTES : OPUS_HEAD_BYTES + 2 + channels)
}

const STREAM_INFO_END = 4 + 4 + 34

/** The first block of FLAC, marked as the last. */
function streamInfo(bytes: Buffer): Buffer {
  if (bytes.toString('latin1', 0, 4) !== 'fLaC' || (bytes.readUInt8(4) & 0x7f) !== 0) throw new Error('Not FLAC.')
  const info = Buffer.from(bytes.subarray(0, STREAM_INFO_END))
  info[4] = 0x80
  return info
}

const HVCC_ARRAYS = 22
const PARAMETER_SETS = new Set([32, 33, 34])

/** HEVC's arrays of units, without those that are no parameter sets. */
function parameterSets(bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  let at = HVCC_ARRAYS + 1
  for (let left = bytes.readUInt8(HVCC_ARRAYS); left > 0; left--) {
    const from = at
    const units = bytes.readUInt16BE(at + 1)
    at += 3
    for (let unit = 0; unit < units; unit++) at += 2 + bytes.readUInt16BE(at)
    if (PARAMETER_SETS.has(bytes.readUInt8(from) & 0x3f)) kept.push(bytes.subarray(from, at))
  }
  return Buffer.concat([bytes.subarray(0, HVCC_ARRAYS), Buffer.from([kept.length]), ...kept])
}

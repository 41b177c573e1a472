import { type FileHandle, open } from 'node:fs/promises'
import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  StreamTarget,
  type StreamTargetChunk,
  WebMOutputFormat,
} from 'mediabunny'
import { strippedDescription } from './strip-description.ts'
import { stripFor } from './strip-packets.ts'

/** What is written at once; the rest of a clip is on disk. */
const CHUNK_BYTES = 1024 * 1024

export type Track = InputVideoTrack | InputAudioTrack
/** Of a track's packets, in seconds. */
export type Length = { track: Track; packets: number; start: number; end: number }

/** An edit list puts the first packets before zero; an output has to start there. */
export const startOf = (lengths: readonly Length[]): number =>
  Math.max(0, -Math.min(...lengths.map(({ start }) => start)))

/** Of a copy's own index. */
const INDEX_BYTES = 4 * 1024 * 1024

/**
 * Writes the packets into a new container of the format, in the file `to`; answers how many bytes that took. Throws where
 * they come to more than the `sentBytes` that they were sent in: packets can name the same bytes again and again.
 */
export async function copyTracks(
  format: string,
  lengths: readonly Length[],
  { to, sentBytes }: { to: string; sentBytes: number },
): Promise<number> {
  const file = await open(to, 'r+')
  try {
    const output = new Output({ format: outputFormat(format), target: targetOf(file, sentBytes + INDEX_BYTES) })
    try {
      await copyPackets(output, lengths)
    } catch (error) {
      await output.cancel()
      throw error
    }
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** Room for an MP4's index is reserved at its start: a browser plays it at once, and nothing waits in memory. */
function outputFormat(format: string) {
  if (format === 'mp3') return new Mp3OutputFormat()
  if (format === 'ogg') return new OggOutputFormat()
  return format === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'reserve' })
}

function targetOf(file: FileHandle, mostBytes: number): StreamTarget {
  const writable = new WritableStream<StreamTargetChunk>({
    async write({ data, position }) {
      if (position + data.length > mostBytes) throw new Error('A copy larger than what was sent.')
      await file.write(data, 0, data.length, position)
    },
  })
  return new StreamTarget(writable, { chunked: true, chunkSize: CHUNK_BYTES })
}

async function copyPackets(output: Output, lengths: readonly Length[]): Promise<void> {
  const offset = startOf(lengths)
  const copies = await Promise.all(lengths.map((length) => openCopy(length, output)))
  await output.start()
  while (true) {
    // In the order of time: packets of a track that is ahead of the other would wait in memory.
    const [earliest] = copies.filter(({ next }) => next).sort((a, b) => timeOf(a) - timeOf(b))
    if (!earliest?.next) break
    await earliest.add(earliest.next.clone({ timestamp: timeOf(earliest) + offset }))
    earliest.next = await earliest.sink.getNextPacket(earliest.next)
  }
  await output.finalize()
}

type Add = (packet: EncodedPacket) => Promise<void>
type Copy = { sink: EncodedPacketSink; add: Add; next: EncodedPacket | null }

const timeOf = ({ next }: Copy): number => next?.timestamp ?? Number.POSITIVE_INFINITY

async function openCopy({ track, packets }: Length, output: Output): Promise<Copy> {
  const sink = new EncodedPacketSink(track)
  const counted = { maximumPacketCount: packets }
  const add = track.isVideoTrack() ? await addVideo(track, output, counted) : await addAudio(track, output, counted)
  return { sink, add, next: await sink.getFirstPacket() }
}

type Counted = { maximumPacketCount: number }

async function addVideo(track: InputVideoTrack, output: Output, counted: Counted): Promise<Add> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig) throw new Error('An unknown video codec.')
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { ...counted, rotation: await track.getRotation() })
  const strip = stripFor(codec, bytesOf(decoderConfig.description))
  const config = stripped(codec, decoderConfig)
  return (packet) => source.add(strip ? packet.clone({ data: strip(packet.data) }) : packet, { decoderConfig: config })
}

async function addAudio(track: InputAudioTrack, output: Output, counted: Counted): Promise<Add> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig) throw new Error('An unknown audio codec.')
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source, counted)
  const config = stripped(codec, decoderConfig)
  return (packet) => source.add(packet, { decoderConfig: config })
}

function stripped<C extends { description?: AllowSharedBufferSource }>(codec: string, config: C): C {
  const description = bytesOf(config.description)
  return description ? { ...config, description: strippedDescription(codec, description) } : config
}

function bytesOf(source: AllowSharedBufferSource | undefined): Uint8Array | undefined {
  if (!source || source instanceof Uint8Array) return source
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}

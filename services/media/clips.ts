import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP3,
  MP4,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OGG,
  OggOutputFormat,
  Output,
  QTFF,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { MAX_SECONDS, type MediaKind, type Sniffed } from './kinds.ts'

/** api-contract C71 */
const MAX_SIDE_PX = 1280
/** A recorder stops a moment after its last second. */
const GRACE_SECONDS = 0.5

export type Clip = {
  ok: true
  kind: Exclude<MediaKind, 'image'>
  bytes: Buffer
  mime: string
  seconds: number
  width: number | null
  height: number | null
}
/** Words for the member, where the clip is sound but too much. */
export type ClipRefused = { ok: false; error: string }

/**
 * The same packets in a new container: no title, no place, no second track. The length is that of the packets,
 * whatever the container says. Throws on anything that is not wholly a clip.
 */
export async function processClip(bytes: Uint8Array, sniffed: Sniffed): Promise<Clip | ClipRefused> {
  const input = new Input({ formats: [MP4, QTFF, WEBM, MP3, OGG], source: new BufferSource(bytes) })
  try {
    const video = sniffed.kinds.includes('video') ? await input.getPrimaryVideoTrack() : null
    const audio = await input.getPrimaryAudioTrack()
    const main = video ?? audio
    if (!main) throw new Error('A clip without a track.')
    const side = video ? Math.max(await video.getDisplayWidth(), await video.getDisplayHeight()) : 0
    if (side > MAX_SIDE_PX) return refused(`Please upload a video of at most ${MAX_SIDE_PX} pixels.`)
    const copied = await copyPackets(sniffed.format, video, audio)
    if (copied === 'too-long') return refused(tooLong(video ? 'video' : 'voice note'))
    return {
      ok: true,
      kind: video ? 'video' : 'audio',
      ...copied,
      mime: mimeOf(sniffed.format, video ? 'video' : 'audio'),
      width: video ? await video.getDisplayWidth() : null,
      height: video ? await video.getDisplayHeight() : null,
    }
  } finally {
    input.dispose()
  }
}

const refused = (error: string): ClipRefused => ({ ok: false, error })
/** The sentence for a video is the spec's own. */
const tooLong = (what: string) => `Please upload a ${what} of ${MAX_SECONDS} seconds or less.`

function mimeOf(format: string, kind: 'video' | 'audio'): string {
  if (format === 'mp3') return 'audio/mpeg'
  if (format === 'ogg') return 'audio/ogg'
  return `${kind}/${format === 'webm' ? 'webm' : 'mp4'}`
}

function outputFormat(format: string) {
  if (format === 'mp3') return new Mp3OutputFormat()
  if (format === 'ogg') return new OggOutputFormat()
  return format === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'in-memory' })
}

type Copied = { bytes: Buffer; seconds: number }
type Track = InputVideoTrack | InputAudioTrack
type Copy = (offset: number) => Promise<number>

async function copyPackets(
  format: string,
  video: InputVideoTrack | null,
  audio: InputAudioTrack | null,
): Promise<Copied | 'too-long'> {
  const target = new BufferTarget()
  const output = new Output({ format: outputFormat(format), target })
  const tracks = [video, audio].filter((track): track is Track => track !== null)
  const copies: Copy[] = []
  if (video) copies.push(await copyVideo(video, output))
  if (audio) copies.push(await copyAudio(audio, output))
  // An edit list puts the first packets before zero; an output has to start there.
  const starts = await Promise.all(tracks.map((track) => track.getFirstTimestamp()))
  const offset = Math.max(0, -Math.min(...starts))
  await output.start()
  const seconds = Math.max(...(await Promise.all(copies.map((copy) => copy(offset)))))
  if (seconds > MAX_SECONDS + GRACE_SECONDS) {
    await output.cancel()
    return 'too-long'
  }
  await output.finalize()
  if (!target.buffer || !(seconds > 0)) throw new Error('An empty clip.')
  return { bytes: Buffer.from(target.buffer), seconds: Math.round(seconds * 100) / 100 }
}

async function copyVideo(track: InputVideoTrack, output: Output): Promise<Copy> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig) throw new Error('An unknown video codec.')
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation: await track.getRotation() })
  return (offset) =>
    copyTrack(track, offset, (packet, first) => source.add(packet, first ? { decoderConfig } : undefined))
}

async function copyAudio(track: InputAudioTrack, output: Output): Promise<Copy> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig) throw new Error('An unknown audio codec.')
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  return (offset) =>
    copyTrack(track, offset, (packet, first) => source.add(packet, first ? { decoderConfig } : undefined))
}

/** Answers where the last packet ends, in seconds; stops early once that is past the limit. */
async function copyTrack(
  track: Track,
  offset: number,
  add: (packet: EncodedPacket, first: boolean) => Promise<void>,
): Promise<number> {
  let end = 0
  let first = true
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const timestamp = packet.timestamp + offset
    end = Math.max(end, timestamp + packet.duration)
    if (end > MAX_SECONDS + GRACE_SECONDS) return end
    await add(packet.clone({ timestamp }), first)
    first = false
  }
  return end
}

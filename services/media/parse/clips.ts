import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputFormat,
  Logging,
  LogLevel,
  MP3,
  MP4,
  OGG,
  QTFF,
  WEBM,
} from 'mediabunny'
import { MAX_SECONDS, MAX_VIDEO_SIDE_PX, type MediaKind, type Sniffed, type UploadError } from '../kinds.ts'
import type { OpenFile, SentFile } from '../sealed-draft.ts'
import { copyTracks, type Length, startOf, type Track } from './copy-tracks.ts'
import { readIndex } from './mp4-index.ts'
import { MAX_PACKETS } from './mp4-tables.ts'
import { checkStreams } from './ogg-pages.ts'
import { readHead } from './webm-head.ts'

// What it warns of are bytes of the file.
Logging.level = LogLevel.Silent

/** A recorder stops a moment after its last second. */
const GRACE_SECONDS = 0.5

const isTooLong = (seconds: number) => seconds > MAX_SECONDS + GRACE_SECONDS
const tooLong = (isVideo: boolean): UploadError => ({
  ok: false,
  reason: isVideo ? 'video-too-long' : 'voice-too-long',
})

const ISO = [MP4, QTFF]
/** By the format that is found by a file's first bytes: it is read as that alone. */
const FORMATS: Readonly<Record<string, InputFormat[]>> = { mp4: ISO, mov: ISO, webm: [WEBM], mp3: [MP3], ogg: [OGG] }

/** `size` is that of the file it was copied into. */
export type Clip = {
  kind: Exclude<MediaKind, 'image'>
  size: number
  mime: string
  seconds: number
  width: number | null
  height: number | null
}

type Copied = { readonly ok: true; readonly clip: Clip }

/**
 * The same packets in a new container, written to the file `to`: no title, no place, no second track. What the index of an
 * MP4 claims is refused before any packet is looked at where that is too long; the length is that of the packets, whatever
 * else the container declares. WebM and Ogg are measured by their packets alone: their heads have no length that can be
 * trusted, as a recorder that does not know how long it is going to run writes none. Throws on anything that is not wholly
 * a clip.
 */
export async function processClip(from: SentFile, sniffed: Sniffed, to: string): Promise<Copied | UploadError> {
  const file = await from.open()
  try {
    const target = { to, sentBytes: from.size }
    if (sniffed.format === 'webm') {
      const head = await readHead(file, from.size)
      return await copyClip(sourceOf(head.file, head.size), sniffed, target)
    }
    if (sniffed.format === 'ogg') await checkStreams(file, from.size)
    if (sniffed.format !== 'mp4' && sniffed.format !== 'mov')
      return await copyClip(sourceOf(file, from.size), sniffed, target)
    const mp4 = await readIndex(file, from.size)
    const { seconds, isVideo } = mp4.claimed
    if (isTooLong(seconds)) return tooLong(isVideo && sniffed.kinds.includes('video'))
    if (mp4.isTooMuch) throw new Error('Too many samples for their time.')
    return await copyClip(sourceOf(mp4.file, from.size), sniffed, target)
  } finally {
    await file.close()
  }
}

/** What fails while it reads ahead fails again where it is read. */
const sourceOf = ({ read }: OpenFile, size: number) =>
  new CustomSource({ getSize: () => size, read, prefetchProfile: 'fileSystem', handleUnhandledError: () => undefined })

type Target = { readonly to: string; readonly sentBytes: number }

async function copyClip(source: CustomSource, sniffed: Sniffed, target: Target): Promise<Copied | UploadError> {
  const input = new Input({ formats: FORMATS[sniffed.format] ?? [], source })
  try {
    const video = sniffed.kinds.includes('video') ? await input.getPrimaryVideoTrack() : null
    const audio = await input.getPrimaryAudioTrack()
    const main = video ?? audio
    if (!main) throw new Error('A clip without a track.')
    const side = video ? Math.max(await video.getDisplayWidth(), await video.getDisplayHeight()) : 0
    if (side > MAX_VIDEO_SIDE_PX) return { ok: false, reason: 'too-wide' }
    const tracks = [video, audio].filter((track): track is Track => track !== null)
    const lengths = await Promise.all(tracks.map(measure))
    const seconds = Math.max(...lengths.map(({ end }) => end)) + startOf(lengths)
    if (isTooLong(seconds)) return tooLong(video !== null)
    if (!(seconds > 0)) throw new Error('An empty clip.')
    const clip: Clip = {
      kind: video ? 'video' : 'audio',
      size: await copyTracks(sniffed.format, lengths, target),
      seconds: Math.round(seconds * 100) / 100,
      mime: mimeOf(sniffed.format, video ? 'video' : 'audio'),
      width: video ? await video.getDisplayWidth() : null,
      height: video ? await video.getDisplayHeight() : null,
    }
    return { ok: true, clip }
  } finally {
    input.dispose()
  }
}

function mimeOf(format: string, kind: 'video' | 'audio'): string {
  if (format === 'mp3') return 'audio/mpeg'
  if (format === 'ogg') return 'audio/ogg'
  return `${kind}/${format === 'webm' ? 'webm' : 'mp4'}`
}

/** Looks at no packet's bytes, and at no packet behind the first that is past the limit. */
async function measure(track: Track): Promise<Length> {
  const length = { track, packets: 0, start: Number.POSITIVE_INFINITY, end: 0 }
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    length.packets++
    length.start = Math.min(length.start, packet.timestamp)
    length.end = Math.max(length.end, packet.timestamp + packet.duration)
    if (isTooLong(length.end)) break
    if (length.packets > MAX_PACKETS) throw new Error('Too many packets for their time.')
  }
  return length
}

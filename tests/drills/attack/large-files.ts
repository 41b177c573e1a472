import { makeClip } from '../../services/support/clips.ts'
import { box } from '../../services/support/hostile-clips.ts'
import { jpeg } from '../../services/support/pictures.ts'
import type { Hostile } from './files.ts'

const MIB = 1024 * 1024
const VIDEO_BYTES = 49 * MIB
/** A picture may have 15 MiB. */
const IMAGE_BYTES = 14.5 * MIB
const SECONDS = 50
const FRAMES_A_SECOND = 2

/**
 * Files that are what they seem to be from the first byte to the last, and as large as one may be: an MP4 of packets, one
 * whose packets are few beside bytes that nothing names, a WebM of packets, and a picture.
 */
export async function largeFiles(): Promise<Hostile[]> {
  const frameBytes = Math.floor(VIDEO_BYTES / (SECONDS * FRAMES_A_SECOND))
  const whole = (format: 'mp4' | 'webm') => makeClip({ format, seconds: SECONDS, audio: false, frameBytes })
  const short = await makeClip({ format: 'mp4', seconds: 2 })
  const padded = Buffer.concat([short, box('mdat', Buffer.alloc(VIDEO_BYTES - short.length - 8, 'letsbuzz'))])
  return [
    { bytes: await whole('mp4'), type: 'video/mp4' },
    { bytes: padded, type: 'video/mp4' },
    { bytes: await whole('webm'), type: 'video/webm' },
    { bytes: filled(await jpeg(4_000, 3_000)), type: 'image/jpeg' },
  ]
}

/** With bytes behind its end, which no decoder reads. */
const filled = (picture: Buffer) => Buffer.concat([picture, Buffer.alloc(Math.max(0, IMAGE_BYTES - picture.length))])

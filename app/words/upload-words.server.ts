import { BEFORE_PURPOSE_BYTES, MAX_SECONDS, MAX_VIDEO_SIDE_PX, type UploadRefusal } from '../../services/media/kinds.ts'
import { PROOF_QUOTA } from '../../services/media/records.ts'
import { WORKER_LIMITS } from '../../services/media/workers/limits.ts'
import { FILE_TOO_LARGE, PICTURE_KINDS, VIDEO_KINDS, VOICE_KINDS } from './file-sizes.ts'
import { PIPELINE_WORDS, type WordTable } from './words.ts'

const MIB = 1024 * 1024
/** By then every file that is under way has made room for another. */
const BUSY_MS = WORKER_LIMITS.deadlineMs

/** An upload, as the calls word it (api-contract C71). */
export const UPLOAD_WORDS: WordTable<UploadRefusal> = {
  'slow-down': PIPELINE_WORDS['slow-down'],
  'upload-failed': { status: 400, error: 'Upload failed.' },
  busy: { status: 503, error: 'Too many uploads at the moment. Please try again.', retryInMs: BUSY_MS },
  'too-large': { status: 413, error: 'File too large' },
  'purpose-first': {
    status: 413,
    error: `Send \`purpose\` before a file of more than ${BEFORE_PURPOSE_BYTES / MIB} MiB.`,
  },
  unsupported: { status: 415, error: 'Unsupported file type' },
  'too-wide': { status: 400, error: `Please upload a video of at most ${MAX_VIDEO_SIDE_PX} pixels.` },
  'video-too-long': { status: 400, error: `Please upload a video of ${MAX_SECONDS} seconds or less.` },
  'voice-too-long': { status: 400, error: `Please upload a voice note of ${MAX_SECONDS} seconds or less.` },
  'storage-full': { status: 413, error: 'Your storage is full. Delete something first.' },
  'signup-full': { status: 400, error: `You can add up to ${PROOF_QUOTA.visual} photos and one voice intro.` },
}

/** The same on a page, which names the limits. */
export const PAGE_UPLOAD_WORDS = { ...UPLOAD_WORDS, 'too-large': { status: 413, error: FILE_TOO_LARGE } } as const

/** And with its own sentence for a file that could not be taken (spec 1 §8), and the kinds that could. */
const failedAs = (error: string, kinds: string): typeof UPLOAD_WORDS => ({
  ...PAGE_UPLOAD_WORDS,
  'upload-failed': { status: 400, error },
  unsupported: { status: 415, error: `${UPLOAD_WORDS.unsupported.error}. Choose ${kinds}.` },
})

export const PHOTO_WORDS = failedAs('Photo upload failed. Please try again.', `${PICTURE_KINDS}, or ${VIDEO_KINDS}`)
export const AVATAR_WORDS = failedAs('Avatar upload failed', PICTURE_KINDS)
/** Of the wizard; the own profile has it without a full stop. */
export const VOICE_WORDS = failedAs('Voice upload failed.', VOICE_KINDS)
export const OWN_VOICE_WORDS = failedAs('Voice upload failed', VOICE_KINDS)

/** What a page's script sends, by what it is for. */
export const SENT_WORDS = { photo: PHOTO_WORDS, avatar: AVATAR_WORDS, voice: VOICE_WORDS } as const

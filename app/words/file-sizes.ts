import { MAX_MIB } from '../../domain/shared/media.ts'

/** Where a picture is chosen, and where a video may be chosen as well. */
export const PICTURE_SIZE = `It may have up to ${MAX_MIB.image} MB.`
export const VISUAL_SIZES = `Pictures may have up to ${MAX_MIB.image} MB, videos up to ${MAX_MIB.video} MB.`

const MOST = `A picture may have up to ${MAX_MIB.image} MB, a video ${MAX_MIB.video} MB and a voice note ${MAX_MIB.audio} MB.`
/** A file that is too large, on a page; a call answers in fewer words (api-contract §6.0). */
export const FILE_TOO_LARGE = `File too large. ${MOST}`
/** For a form that was cut off with it: the page that was left is still there. */
export const FORM_TOO_LARGE = {
  title: 'File too large',
  text: `${MOST} Go back and choose a smaller file, or fewer at once.`,
} as const

/** What can be chosen, as a sentence goes on. */
export const PICTURE_KINDS = 'a JPEG, PNG, WebP or GIF picture'
export const VIDEO_KINDS = 'an MP4, WebM or QuickTime video'
export const VOICE_KINDS = 'an MP3, M4A, OGG or WebM recording'

/** An upload without a file. */
export const CHOOSE_FIRST = 'Choose a file first.'

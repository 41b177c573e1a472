import type { GalleryReason } from '../../usecases/profile/gallery.ts'
import { PIPELINE_WORDS, type WordTable } from './words.ts'

/** Pictures, videos and the voice of the own profile (spec 2 §8, "Alerts on profile"). */
export const GALLERY_WORDS: WordTable<GalleryReason> = {
  ...PIPELINE_WORDS,
  'no-image': { status: 400, error: 'At least one of them must be a photo.' },
  'not-in-gallery': { status: 404, error: 'That picture is not in your gallery any more.' },
  'avatar-must-be-image': { status: 400, error: 'Avatar upload failed. It has to be a picture.' },
  'last-photo': { status: 400, error: 'Could not delete media: at least one photo has to stay.' },
  'others-private': {
    status: 400,
    error:
      'Could not delete media: your other photos are private, and your avatar is always public. Make one public first.',
  },
  'avatar-stays-public': {
    status: 400,
    error: 'Could not change privacy: your avatar is always public. Choose another one first.',
  },
  'invalid-media': { status: 400, error: 'Upload failed. Please choose the file again.' },
}

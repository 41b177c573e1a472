/** What an upload is for; it decides who may see the file (api-contract C71). */
export const MEDIA_PURPOSES = [
  'photo',
  'avatar',
  'post',
  'story',
  'voice',
  'chat',
  'microbuzz',
  'kyc-selfie',
  'kyc-id',
] as const

/** How many MiB a file of each kind may have (api-contract C71). */
export const MAX_MIB = { image: 15, video: 50, audio: 5 } as const
export type MediaPurpose = (typeof MEDIA_PURPOSES)[number]

/** Sizes in which a picture is stored, in pixels of its shorter side; the largest is what an upload is drawn to. */
export const PICTURE_SIDES = [96, 320, 720, 1080] as const

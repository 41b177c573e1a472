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
export type MediaPurpose = (typeof MEDIA_PURPOSES)[number]

const SAME = 'the same for everybody'
const SAMPLES = 'samples of parts, for developers'
const LEADS_ON = 'leads on, and is no page'
const JSON_ALONE = 'JSON, which no browser takes for a page'
const FILE = 'a file that is saved'

/** Pages with no words of anybody, and why. */
export const EXEMPT_ROUTES: Readonly<Record<string, string>> = {
  root: 'the frame of every page',
  'routes/contact': SAME,
  'routes/privacy': SAME,
  'routes/terms': SAME,
  'routes/dev.gallery': SAMPLES,
  'routes/dev.gallery_.overlays': SAMPLES,
  'routes/dev.gallery_.media': SAMPLES,
  'routes/dev.gallery_.compose': SAMPLES,
  'routes/dev.gallery_.lists': SAMPLES,
  'routes/dev.gallery_.social': SAMPLES,
  'routes/dev.gallery_.tokens': SAMPLES,
  'routes/openapi[.]json': JSON_ALONE,
  'routes/admin.projections': 'the names of read models, and figures',
  'routes/theme': LEADS_ON,
  'routes/signout': LEADS_ON,
  'routes/media-upload': LEADS_ON,
  'routes/auth.google': LEADS_ON,
  'routes/auth.google_.callback': LEADS_ON,
  'routes/register_.media.$id': 'a picture',
  'routes/register_.draft': JSON_ALONE,
  'routes/chat_.$userId.earlier': JSON_ALONE,
  'routes/news.$userId': JSON_ALONE,
  'routes/audit.$member.export': FILE,
  'routes/account.export.$id': FILE,
}

/**
 * Fields that take any text, by the names that calls and events have for them: each is filled by `writers.ts` or typed by
 * `typed.ts`.
 */
export const FIELDS: readonly string[] = [
  ...['firstName', 'lastName', 'email', 'phone', 'dob', 'gender', 'code'],
  ...['bio', 'city', 'state', 'location', 'orientation', 'caption', 'text', 'reason'],
  ...['interests', 'hobbies', 'likes', 'dislikes', 'favorites'],
  ...['lookingFor', 'interestedIn', 'vibe'],
]

const OWN_UPLOAD = 'the address of an own upload, or refused'
const SECRET = 'never shown, nor given back'
const OURS = 'written by the product or at its terminal'

/** Fields whose schema takes any text, though no page has what somebody typed there, and why. */
export const EXEMPT_FIELDS: Readonly<Record<string, string>> = {
  avatar: OWN_UPLOAD,
  fileUrl: OWN_UPLOAD,
  photos: OWN_UPLOAD,
  voiceIntro: OWN_UPLOAD,
  voiceUrl: OWN_UPLOAD,
  challenge: SECRET,
  newPassword: SECRET,
  password: SECRET,
  signupToken: SECRET,
  token: SECRET,
  by: OURS,
  sentAt: OURS,
  termsVersion: OURS,
  timezone: 'one of the zones that there are, or refused',
  commentId: 'of what is not there yet, and refused',
  postId: 'of what is not there yet, and refused',
}

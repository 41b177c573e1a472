import { z } from 'zod'
import { Self as SelfShape } from '../../../app/api/shapes.ts'

/** Bodies by name; every object is closed, so that a key too many fails (security Z5). */
const text = z.string()
const id = z.string().regex(/^[0-9a-z]{20,32}$/)
const url = z.string().regex(/^\/media\/[0-9a-z]{20,32}$/)
const blurred = z.array(z.strictObject({ url, blurred: z.literal(true) }))
const distance = { distanceMeters: z.number().optional(), distanceBand: text.optional() }
const media = z.strictObject({
  id,
  url,
  type: z.enum(['image', 'video']),
  caption: text,
  privacy: z.literal('public'),
})

const self = z.strictObject({ ...SelfShape.shape, id, email: z.email() })
const locked = {
  id,
  firstName: text,
  visibilityMode: z.literal('auto'),
  photos: blurred.max(3),
  avatar: url.optional(),
  age: z.number().optional(),
  ...distance,
}
const limited = {
  ...locked,
  visibilityMode: z.literal('limited'),
  bio: z.string().max(160).optional(),
  city: text.optional(),
  vibe: text.optional(),
  verified: z.boolean(),
  interests: z.array(text),
}
const full = {
  ...limited,
  visibilityMode: z.literal('full'),
  photos: blurred,
  bio: text.optional(),
  zodiac: text.optional(),
  orientation: text.optional(),
  height: z.number().optional(),
  hobbies: z.array(text).optional(),
  favorites: z.array(text).optional(),
  lookingFor: text.optional(),
  voiceIntro: url.optional(),
  media: z.array(media).max(0).optional(),
}
const matched = {
  ...full,
  photos: z.array(z.strictObject({ url, blurred: z.literal(false) })).min(1),
  media: z.array(media).min(1),
  lastName: text,
  online: z.boolean(),
}
const nobody = { matched: z.literal(false), preview: z.literal(false) }
const encounter = <A extends string>(access: A, user: z.ZodRawShape, form: { matched: boolean; preview: boolean }) =>
  z.strictObject({
    user: z.strictObject(user),
    matched: z.literal(form.matched),
    preview: z.literal(form.preview),
    likedByMe: z.boolean(),
    likedMe: z.boolean(),
    blocked: z.literal(false),
    access: z.literal(access),
  })
const card = z.strictObject({
  id,
  firstName: text,
  age: z.number().optional(),
  ...distance,
  photos: blurred.max(3),
  interests: z.array(text),
  vibe: text.optional(),
  verified: z.boolean(),
  bio: z.string().max(160).optional(),
  visibilityMode: z.enum(['auto', 'limited', 'full']),
})
const message = z.strictObject({
  id: text,
  roomId: z.string().regex(/^[0-9a-z]{20,32}_[0-9a-z]{20,32}$/),
  from: id,
  to: id,
  text,
  media: z.strictObject({ id, url }).optional(),
  time: z.iso.datetime(),
  deleted: z.literal(true).optional(),
})
const notification = z.strictObject({
  id,
  type: z.enum(['buzz', 'match']),
  subtype: z.enum(['match_request', 'buzz']).optional(),
  message: z.string().max(80),
  read: z.boolean(),
  createdAt: z.iso.datetime(),
  href: z.string().regex(/^\/[^/\\]/),
  fromId: id,
})
const session = z.strictObject({ token: z.string().regex(/^[\w-]{43}$/), user: self })
const withMessage = (words: string) => z.strictObject({ success: z.literal(true), message: z.literal(words) })
const error = (words: string, more: z.ZodRawShape = {}) => z.strictObject({ error: z.literal(words), ...more })
const failed = (words: string) => z.strictObject({ success: z.literal(false), error: z.literal(words) })
const fields = z.record(text, text)

/** Every answer that the matrix knows: its status, and what is in it. */
export const BODIES = {
  '200 success': z.strictObject({ success: z.literal(true) }),
  '200 export': z.strictObject({
    id,
    state: z.literal('preparing'),
    done: z.number(),
    total: z.number(),
    askedAt: text,
  }),
  '200 self': self,
  '200 own user': z.strictObject({ user: self }),
  '200 session': session,
  '200 encounter self': encounter('self', self.shape, { matched: false, preview: false }),
  '200 encounter matched': encounter('matched', matched, { matched: true, preview: false }),
  '200 encounter locked': encounter('locked', locked, { matched: false, preview: false }),
  '200 encounter limited': encounter('preview', limited, { matched: false, preview: true }),
  '200 encounter full': encounter('preview', full, { matched: false, preview: true }),
  '200 encounter blocked': z.strictObject({
    ...nobody,
    user: z.strictObject({ id, firstName: text }),
    blocked: z.literal(true),
    access: z.literal('blocked-by-me'),
  }),
  '200 matched': z.strictObject({ success: z.literal(true), matched: z.literal(true) }),
  '200 liked': z.strictObject({ success: z.literal(true), matched: z.literal(false) }),
  '200 report': z.strictObject({ success: z.literal(true), reportId: id, receivedAt: z.iso.datetime() }),
  '200 cards': z.strictObject({ users: z.array(card) }),
  '200 deck': z.strictObject({ users: z.array(card).max(20), buzzZone: z.strictObject({ count: z.literal(0) }) }),
  '200 matches': z.strictObject({
    matches: z.array(
      z.strictObject({ id, firstName: text, lastName: text, avatar: url.nullable(), online: z.boolean() }),
    ),
  }),
  '200 blocks': z.strictObject({
    blocks: z.array(z.strictObject({ id, firstName: text, lastName: z.literal('') })),
  }),
  '200 notifications': z.array(notification).max(200),
  '200 messages': z.strictObject({ messages: z.array(message).min(1).max(50), before: text.nullable() }),
  '200 message': z.strictObject({ message }),
  '200 unread': z.strictObject({ total: z.number(), byUser: z.record(id, z.number()) }),
  '200 ticket': z.strictObject({ ticket: text, expiresInMs: z.number() }),
  '200 sessions': z.strictObject({
    sessions: z.array(z.strictObject({ id, label: text, lastSeen: z.iso.datetime(), current: z.boolean() })).min(1),
  }),
  '200 factor off': z.strictObject({ on: z.literal(false) }),
  '200 factor begun': z.strictObject({
    secret: z.string().regex(/^[A-Z2-7]{32}$/),
    uri: z.string().regex(/^otpauth:\/\/totp\/LetsBuzz:/),
  }),
  '200 accepted': z.strictObject({ accepted: z.boolean() }),
  '200 reset mail': withMessage('Verification code sent to your email. Check Inbox or Spam'),
  '200 code mail': withMessage('Verification code sent to your email.'),
  '200 upload': z.strictObject({ ok: z.literal(true), url, secure_url: z.url(), id }),
  '400 invalid': error('Invalid request.', { fields: fields.optional() }),
  '400 already matched': error("You've already matched with this user!", { code: z.literal('already_matched') }),
  '400 already buzzed': error("You've already buzzed this user.", { code: z.literal('already_buzzed') }),
  '400 reason': error('A reason is required.'),
  '400 code': error('Invalid or expired code.', { fields }),
  '400 code failed': z.strictObject({ ...failed('Invalid or expired code.').shape, fields }),
  '400 factor code': error('Incorrect code. Please check again.', { fields }),
  '400 media': z.strictObject({ ok: z.literal(false), error: z.literal('Invalid media') }),
  '401 login': error('Login required'),
  '401 login upload': z.strictObject({ ok: z.literal(false), error: z.literal('Login required') }),
  '401 credentials': error('Invalid credentials'),
  '401 sign-in over': error('This sign-in is over. Please login again.'),
  '401 google': error('Google login failed'),
  '401 code': error('Invalid or expired code.'),
  '403 deactivated': error('Account deactivated', { code: z.literal('deactivated') }),
  '403 suspended': error('Account suspended', { code: z.literal('suspended') }),
  '403 deactivated upload': error('Account deactivated', { code: z.literal('deactivated'), ok: z.literal(false) }),
  '403 suspended upload': error('Account suspended', { code: z.literal('suspended'), ok: z.literal(false) }),
  '403 reauth': error('Please enter your password.', { code: z.literal('reauth'), fields }),
  '403 buzz': error('Could not buzz right now.'),
  '403 profile': error('Profile requires a match to view.'),
  '404 not found': error('Not found'),
  '404 profile': error('Profile not found.'),
  '409 factor off': error('2-step verification is off.'),
  '409 not matched': error('You need to be matched first!'),
  '415 upload': z.strictObject({ ok: z.literal(false), error: z.literal('Unsupported file type') }),
} as const
export type BodyName = keyof typeof BODIES

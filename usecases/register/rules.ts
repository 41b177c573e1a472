import { z } from 'zod'
import { TERMS_VERSIONS } from '../../domain/identity/terms.ts'
import * as field from '../../domain/profile/fields.ts'
import { MAX_SIGNUP_MEDIA, MIN_AGE, MIN_SIGNUP_MEDIA } from '../../domain/profile/limits.ts'
import { ageOn, isCalendarDate } from '../../domain/shared/dates.ts'
import { unique } from '../../domain/shared/unique.ts'

/** What each step asks, by the names of the registration payload (spec 1 §3 and §5, api-contract C05). */
export const Basics = z.object({
  firstName: field.Name,
  lastName: field.Name,
  gender: field.Gender,
  dob: field.Dob,
  lookingFor: field.LookingFor,
  interestedIn: field.InterestedIn,
})
export const Preferences = z.object({
  preferences: field.Preferences.default(field.DEFAULT_PREFERENCES),
  visibilityMode: field.VisibilityMode.default('auto'),
})
export const Interests = z.object({ interests: field.ListedInterests })
const address = z.string().max(2048)
export const Photos = z.object({
  photos: unique(z.array(address).min(MIN_SIGNUP_MEDIA).max(MAX_SIGNUP_MEDIA)),
  avatar: address.nullish(),
})
export const Contact = z.object({ phone: field.Phone.nullish(), voiceUrl: address.nullish() })

/** The whole payload; keys it does not know are ignored. The address is the proof's. */
export const Registration = z.object({
  ...Basics.shape,
  ...Preferences.shape,
  ...Interests.shape,
  ...Photos.shape,
  ...Contact.shape,
  /** One of the known: the log keeps it in the clear. */
  acceptedTermsVersion: z.enum(TERMS_VERSIONS).optional(),
})
export type Registration = z.infer<typeof Registration>

/** What a registration can be wrong about, from the first field of the wizard to the last. */
export const REGISTRATION_FIELDS = [
  'email',
  'firstName',
  'lastName',
  'password',
  'confirm',
  'dob',
  'gender',
  'lookingFor',
  'interestedIn',
  'ageMin',
  'distanceMiles',
  'preferences',
  'visibilityMode',
  'interests',
  'photos',
  'avatar',
  'phone',
  'voiceUrl',
  'acceptedTermsVersion',
] as const
export type RegistrationField = (typeof REGISTRATION_FIELDS)[number]

/** Fields of the page that are parts of one key of the payload. */
const PART_OF: Readonly<Record<string, string>> = { ageMin: 'preferences', distanceMiles: 'preferences' }
const SECTIONS: ReadonlySet<string> = new Set(['interests', 'photos', 'avatar'])

/** Which field of the page an issue belongs to. */
function fieldOf([top, second, ...rest]: readonly PropertyKey[]): PropertyKey | undefined {
  if (top !== 'preferences') return top
  if (second === 'distanceMiles') return 'distanceMiles'
  return second === 'ageRange' || rest.length > 0 ? 'ageMin' : 'preferences'
}

/** What is wrong, each field once, in the order of the payload. */
export function fieldsOf(error: z.ZodError): RegistrationField[] {
  const names = new Set(error.issues.map((issue) => fieldOf(issue.path)))
  return [...names].flatMap((name) => REGISTRATION_FIELDS.find((known) => known === name) ?? [])
}

/** Why such a payload is refused: for its date first, then for what is missing, then for what is wrong. */
export function reasonFor(wrong: readonly RegistrationField[], given: object) {
  if (wrong.includes('dob')) return 'invalid-dob'
  const isMissing = (name: string) => SECTIONS.has(name) || !((PART_OF[name] ?? name) in given)
  return wrong.some(isMissing) ? 'incomplete' : 'invalid-answers'
}

/** `minor`: a real date of birth of someone under eighteen; nothing about them is kept. */
export function judgeDob(dob: unknown, today: Date): 'ok' | 'invalid' | 'minor' {
  if (typeof dob !== 'string' || !isCalendarDate(dob)) return 'invalid'
  const age = ageOn(dob, today)
  if (age < 0) return 'invalid'
  return age < MIN_AGE ? 'minor' : 'ok'
}

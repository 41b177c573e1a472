import { z } from 'zod'
import * as field from '../../domain/profile/fields.ts'
import { MAX_AGE, MAX_SIGNUP_MEDIA, MIN_AGE, MIN_SIGNUP_MEDIA } from '../../domain/profile/limits.ts'
import { ageOn, isCalendarDate } from '../../domain/shared/dates.ts'
import { PASSWORD_MAX, type PasswordRefusal } from '../../services/password-policy.ts'
import type { Fields } from '../answer.ts'

export const INVALID_DOB = 'Invalid date of birth. Please provide a valid date (18+).'
export const INCOMPLETE = 'Please complete all required sections.'

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
  photos: z.array(address).min(MIN_SIGNUP_MEDIA).max(MAX_SIGNUP_MEDIA).refine(areDistinct),
  avatar: address.nullish(),
})
export const Contact = z.object({ phone: field.Phone.nullish(), voiceUrl: address.nullish() })

/** The whole payload; keys it does not know are ignored. The address is the proof's, never the payload's. */
export const Registration = z.object({
  ...Basics.shape,
  ...Preferences.shape,
  ...Interests.shape,
  ...Photos.shape,
  ...Contact.shape,
  acceptedTermsVersion: z.string().max(40).optional(),
})
export type Registration = z.infer<typeof Registration>

const WORDS: Record<string, string> = {
  firstName: 'Please enter your first name, up to 50 characters.',
  lastName: 'Please enter your last name, up to 50 characters.',
  password: 'Please choose a password.',
  confirm: 'Passwords do not match.',
  dob: INVALID_DOB,
  gender: 'Please choose your gender.',
  lookingFor: 'Please choose what you are looking for.',
  interestedIn: 'Please choose at least one.',
  ageMin: `Ages go from ${MIN_AGE} to ${MAX_AGE}, the lower one first.`,
  distanceMiles: 'The distance goes from 0 to 1000 miles.',
  preferences: 'Please check the ages and the distance.',
  visibilityMode: 'Please choose who sees you.',
  interests: 'Please choose 1 to 5 interests.',
  photos: `Please add at least ${MIN_SIGNUP_MEDIA} photos or videos.`,
  avatar: 'Please choose one of your photos.',
  phone: 'Use the international form, like +14155550123.',
  voiceUrl: 'Voice upload failed.',
}
/** From the first field of the wizard to the last. */
export const FIELD_ORDER: readonly string[] = Object.keys(WORDS)
/** Fields of the page that are parts of one key of the payload. */
const PART_OF: Record<string, string> = { ageMin: 'preferences', distanceMiles: 'preferences' }
const SECTIONS = new Set(['interests', 'photos', 'avatar'])

function areDistinct(items: readonly string[]): boolean {
  return new Set(items).size === items.length
}

/** Which field of the page an issue belongs to. */
function fieldOf([top, second, ...rest]: readonly PropertyKey[]): string {
  if (top !== 'preferences') return String(top ?? '')
  if (second === 'distanceMiles') return 'distanceMiles'
  return second === 'ageRange' || rest.length > 0 ? 'ageMin' : 'preferences'
}

export function fieldsOf(error: z.ZodError): Fields {
  const names = error.issues.map((issue) => fieldOf(issue.path))
  return Object.fromEntries(names.map((name) => [name, WORDS[name] ?? 'Please check this.']))
}

/** The one sentence over a refused registration: the date first, then what is missing. */
export function sentenceFor(fields: Fields, given: object): string {
  if (fields.dob) return fields.dob
  const missing = Object.keys(fields).some((name) => SECTIONS.has(name) || !((PART_OF[name] ?? name) in given))
  return missing ? INCOMPLETE : (Object.values(fields)[0] ?? 'Invalid request.')
}

/** `minor`: a real date of birth of someone under eighteen; nothing about them is kept. */
export function judgeDob(dob: unknown, today: Date): 'ok' | 'invalid' | 'minor' {
  if (typeof dob !== 'string' || !isCalendarDate(dob)) return 'invalid'
  const age = ageOn(dob, today)
  if (age < 0) return 'invalid'
  return age < MIN_AGE ? 'minor' : 'ok'
}

/** What is wrong with a password of the wizard. */
export function passwordSentence(reason: PasswordRefusal, min: number): string {
  if (reason === 'too-short') return `Password must be at least ${min} characters.`
  if (reason === 'too-long') return `Password must be at most ${PASSWORD_MAX} characters.`
  if (reason === 'common') return 'Choose a different password. This one is too common.'
  return 'Choose a different password. This one contains your name or e-mail address.'
}

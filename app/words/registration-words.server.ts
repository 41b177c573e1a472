import { MAX_AGE, MAX_SIGNUP_MEDIA, MIN_AGE, MIN_SIGNUP_MEDIA } from '../../domain/profile/limits.ts'
import type { Refused } from '../../usecases/outcome.ts'
import type { RegistrationRefusal } from '../../usecases/register/enroll.ts'
import { REGISTRATION_FIELDS, type RegistrationField } from '../../usecases/register/rules.ts'
import type { StepProblem, StepProblems } from '../../usecases/register/save-step.ts'
import { ACCOUNT_READY } from './auth-words.ts'
import { passwordWords } from './password-words.ts'
import { NOBODY_SOUGHT } from './sought-labels.ts'
import { PHOTO_WORDS, VOICE_WORDS } from './upload-words.server.ts'
import { PIPELINE_WORDS, type Worded, type WordTable, worded } from './words.ts'

export const INVALID_DOB = 'Invalid date of birth. Please provide a valid date (18+).'
export const PASSWORDS_DIFFER = 'Passwords do not match.'
const NO_PHOTO = 'At least one of them must be a photo.'
const INVALID_CODE = { status: 401, error: 'Invalid or expired code.' } as const
export const INCOMPLETE = { status: 400, error: 'Please complete all required sections.' } as const
const DOB = { status: 400, error: INVALID_DOB, field: 'dob' } as const
const FAILED = { status: 409, error: 'Registration failed. Please try again.' } as const

type Limits = { readonly passwordMin: number }

/** The call and the last step of the wizard (api-contract C05). */
const tableFor = (limits: Limits): WordTable<RegistrationRefusal> => ({
  ...passwordWords(limits, 'password'),
  'slow-down': PIPELINE_WORDS['slow-down'],
  'invalid-code': INVALID_CODE,
  registered: { status: 409, error: ACCOUNT_READY },
  minor: DOB,
  'invalid-dob': DOB,
  incomplete: INCOMPLETE,
  'no-photo': INCOMPLETE,
  'invalid-answers': { status: 400, error: 'Invalid request.' },
  'invalid-media': { status: 400, error: 'Invalid media' },
  barred: FAILED,
  busy: FAILED,
  taken: FAILED,
})

const FIELD_WORDS: Readonly<Record<RegistrationField, string>> = {
  email: 'Please use the email address that you confirmed.',
  firstName: 'Please enter your first name, up to 50 characters.',
  lastName: 'Please enter your last name, up to 50 characters.',
  password: 'Please choose a password.',
  confirm: PASSWORDS_DIFFER,
  dob: INVALID_DOB,
  gender: 'Please choose your gender.',
  lookingFor: 'Please choose what you are looking for.',
  interestedIn: NOBODY_SOUGHT,
  ageMin: `Ages go from ${MIN_AGE} to ${MAX_AGE}, the lower one first.`,
  distanceMiles: 'The distance goes from 0 to 1000 miles.',
  preferences: 'Please check the ages and the distance.',
  visibilityMode: 'Please choose who sees you.',
  interests: 'Please choose 1 to 5 interests.',
  photos: `Please add ${MIN_SIGNUP_MEDIA} to ${MAX_SIGNUP_MEDIA} photos or videos.`,
  avatar: 'Please choose one of your photos.',
  phone: 'Use the international form, like +14155550123.',
  voiceUrl: 'Voice upload failed.',
  acceptedTermsVersion: 'Please check this.',
}

/** What the call may come to. */
export function registrationRefusals(limits: Limits): readonly Worded[] {
  const table = tableFor(limits)
  const named = (Object.keys(table) as RegistrationRefusal[]).map((reason) => worded(table, { ok: false, reason }))
  return [...named, ...Object.values(FIELD_WORDS).map((error) => ({ ok: false as const, status: 400, error }))]
}

/** A refused registration, with what is wrong next to each field; the first of those where nothing is missing. */
export function registrationWorded(limits: Limits, refusal: Refused<RegistrationRefusal>): Worded {
  const { reason } = refusal
  const wrong = REGISTRATION_FIELDS.filter((name) => refusal.fields?.includes(name))
  const answer = worded(tableFor(limits), refusal)
  const own = Object.fromEntries(wrong.map((name) => [name, FIELD_WORDS[name]]))
  const fields = { ...answer.fields, ...own, ...(reason === 'no-photo' && { photos: NO_PHOTO }) }
  const [first] = Object.values(own)
  const error = reason === 'invalid-answers' && first ? first : answer.error
  return { ...answer, error, ...(Object.keys(fields).length > 0 && { fields }) }
}

/** What is wrong with a step of the wizard, next to each field and in the order of the page. */
export function problemWords(limits: Limits, problems: StepProblems): Readonly<Record<string, string>> {
  const wrong = REGISTRATION_FIELDS.flatMap((name) => {
    const problem = problems[name]
    return problem ? [[name, problemSentence(limits, name, problem)] as const] : []
  })
  return Object.fromEntries(wrong)
}

function problemSentence(limits: Limits, field: RegistrationField, problem: StepProblem): string {
  switch (problem) {
    case 'wrong':
      return FIELD_WORDS[field]
    case 'no-photo':
      return NO_PHOTO
    case 'differs':
      return PASSWORDS_DIFFER
    case 'again':
      return 'Please enter your password again, since your name changed.'
    case 'too-often':
      return 'Too many passwords were chosen from your connection. Please try again in a few minutes.'
    case 'outer-spaces':
    case 'too-short':
    case 'too-long':
    case 'common':
    case 'personal':
      return passwordWords(limits, field)[problem].error
    default:
      return (field === 'voiceUrl' ? VOICE_WORDS : PHOTO_WORDS)[problem].error
  }
}

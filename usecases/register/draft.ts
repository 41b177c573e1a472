import { z } from 'zod'
import { STEPS, type StepName } from '../../domain/identity/sign-up-steps.ts'
import { VISIBILITY_MODES } from '../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MAX_INTERESTS, MIN_AGE } from '../../domain/profile/limits.ts'
import type { MediaId } from '../../domain/shared/ids.ts'
import { mediaUrl } from '../../services/media/media-url.ts'
import type { Fields } from '../answer.ts'
import { Basics, Contact, fieldsOf, Interests, Photos, Preferences } from './rules.ts'

/** What a visitor typed, as typed, so that going back or reloading loses nothing. The password is kept as its hash. */
const Draft = z.object({
  values: z.record(z.string(), z.array(z.string())).default({}),
  passwordHash: z.string().nullable().default(null),
})
export type Draft = z.infer<typeof Draft>

/** The uploads of the visitor, oldest first. */
export type DraftMedia = { id: MediaId; kind: 'image' | 'video' | 'audio' }

export function openDraft(stored: unknown): Draft {
  const parsed = Draft.safeParse(stored ?? {})
  return parsed.success ? parsed.data : { values: {}, passwordHash: null }
}

const KEPT: Record<StepName, readonly string[]> = {
  basics: ['firstName', 'lastName', 'gender', 'dob', 'lookingFor', 'interestedIn'],
  preferences: ['ageMin', 'ageMax', 'distanceMiles', 'visibilityMode'],
  interests: ['interests'],
  photos: ['avatar'],
  contact: ['phone'],
  review: [],
}
const VALUE_MAX = 300
/** A sixth interest is ignored (spec 1 §5). */
const mostOf = (name: string) => (name === 'interests' ? MAX_INTERESTS : 10)

/** The draft with a step's fields as they were sent; an answer that was taken away goes too. */
export function withStep(draft: Draft, step: StepName, form: FormData): Draft {
  const sent = KEPT[step].map((name): [string, string[]] => [
    name,
    form
      .getAll(name)
      .slice(0, mostOf(name))
      .map((value) => String(value).slice(0, VALUE_MAX)),
  ])
  return { ...draft, values: { ...draft.values, ...Object.fromEntries(sent) } }
}

const number = (text: string | undefined) => (text?.trim() ? Number(text) : undefined)

/** The draft as the registration payload (api-contract C05) without the password. */
export function payloadOf(draft: Draft, media: readonly DraftMedia[]) {
  const one = (name: string) => draft.values[name]?.[0]
  const many = (name: string) => draft.values[name] ?? []
  const shown = media.filter((item) => item.kind !== 'audio').map((item) => mediaUrl(item.id))
  const voice = media.findLast((item) => item.kind === 'audio')
  const chosen = shown.find((url) => url === one('avatar'))
  return {
    firstName: one('firstName'),
    lastName: one('lastName'),
    gender: one('gender'),
    dob: one('dob'),
    lookingFor: one('lookingFor'),
    interestedIn: many('interestedIn'),
    preferences: {
      ageRange: [number(one('ageMin')) ?? MIN_AGE, number(one('ageMax')) ?? MAX_AGE],
      distanceMiles: number(one('distanceMiles')) ?? MAX_DISTANCE_MILES,
    },
    visibilityMode: one('visibilityMode') ?? VISIBILITY_MODES[0],
    interests: many('interests'),
    photos: shown,
    avatar: chosen ?? null,
    phone: one('phone')?.replace(/[\s().-]/g, '') ?? '',
    voiceUrl: voice ? mediaUrl(voice.id) : null,
  }
}

const RULES: Record<StepName, z.ZodType> = {
  basics: Basics,
  preferences: Preferences,
  interests: Interests,
  photos: Photos,
  contact: Contact,
  review: z.object({}),
}

/** What is wrong with one step of the draft, by field; null when nothing is. */
export function problemsOf(step: StepName, draft: Draft, media: readonly DraftMedia[]): Fields | null {
  const parsed = RULES[step].safeParse(payloadOf(draft, media))
  const fields = parsed.success ? {} : fieldsOf(parsed.error)
  const noImage = step === 'photos' && parsed.success && !media.some((item) => item.kind === 'image')
  const all = {
    ...fields,
    ...(noImage && { photos: 'At least one of them must be a photo.' }),
  }
  return Object.keys(all).length > 0 ? all : null
}

/** The step that waits for the visitor: the first one that is not complete. Those after it cannot be opened yet. */
export function nextStep(draft: Draft, media: readonly DraftMedia[]): StepName {
  const seen = (step: StepName) =>
    step !== 'preferences' && step !== 'contact' ? true : KEPT[step].some((name) => name in draft.values)
  return STEPS.find(({ name }) => !seen(name) || problemsOf(name, draft, media))?.name ?? 'review'
}

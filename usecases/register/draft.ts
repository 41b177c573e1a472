import { z } from 'zod'
import { STEPS, type StepName } from '../../domain/identity/sign-up-steps.ts'
import { VISIBILITY_MODES } from '../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../domain/profile/limits.ts'
import { mediaUrl } from '../../services/media/media-url.ts'
import { type StepAnswers, TypedSteps } from './answers.ts'
import { Basics, Contact, fieldsOf, Interests, Photos, Preferences, type RegistrationField } from './rules.ts'
import type { DraftMedia } from './uploads.ts'

/** What a visitor typed, as typed, so that going back or reloading loses nothing. The password is kept as its hash. */
const Draft = z.object({ steps: TypedSteps, passwordHash: z.string().nullable() })
export type Draft = z.infer<typeof Draft>

export function openDraft(stored: unknown): Draft {
  const parsed = Draft.safeParse(stored)
  return parsed.success ? parsed.data : { steps: {}, passwordHash: null }
}

/**
 * The draft with a step as it was sent; an answer that was taken away goes too. The password was compared with the name
 * and goes with it.
 */
export function withStep(draft: Draft, answers: StepAnswers): Draft {
  const steps = TypedSteps.parse({ ...draft.steps, [answers.step]: answers })
  const [before, after] = [draft.steps.basics, steps.basics]
  const sameName = before?.firstName === after?.firstName && before?.lastName === after?.lastName
  return { steps, passwordHash: sameName ? draft.passwordHash : null }
}

/** The uploads as the visitor put them in order. */
export function inOrder(uploads: readonly DraftMedia[], { photos }: Draft['steps']): DraftMedia[] {
  const order = photos?.order ?? []
  const placeOf = ({ id }: DraftMedia) => (order.includes(id) ? order.indexOf(id) : order.length)
  return [...uploads].sort((one, other) => placeOf(one) - placeOf(other))
}

const number = (text: string | undefined) => (text?.trim() ? Number(text) : undefined)

/** The draft as the registration payload (api-contract C05) without the password. */
export function payloadOf({ steps }: Pick<Draft, 'steps'>, media: readonly DraftMedia[]) {
  const { basics, preferences, interests, photos, contact } = steps
  const visual = media.filter((item) => item.kind !== 'audio')
  const shown = inOrder(visual, steps).map((item) => mediaUrl(item.id))
  const voice = media.findLast((item) => item.kind === 'audio')
  const chosen = shown.find((url) => url === photos?.avatar)
  return {
    firstName: basics?.firstName,
    lastName: basics?.lastName,
    gender: basics?.gender,
    dob: basics?.dob,
    lookingFor: basics?.lookingFor,
    interestedIn: basics?.interestedIn ?? [],
    preferences: {
      ageRange: [number(preferences?.ageMin) ?? MIN_AGE, number(preferences?.ageMax) ?? MAX_AGE],
      distanceMiles: number(preferences?.distanceMiles) ?? MAX_DISTANCE_MILES,
    },
    visibilityMode: preferences?.visibilityMode || VISIBILITY_MODES[0],
    interests: interests?.interests ?? [],
    photos: shown,
    avatar: chosen ?? null,
    phone: contact?.phone.replace(/[\s().-]/g, '') ?? '',
    voiceUrl: voice ? mediaUrl(voice.id) : null,
  }
}

const RULES: Readonly<Record<StepName, z.ZodType>> = {
  basics: Basics,
  preferences: Preferences,
  interests: Interests,
  photos: Photos,
  contact: Contact,
  review: z.object({}),
}

/** What is wrong with one step of the draft, by field. `no-photo`: there are enough uploads, but no photo among them. */
export type DraftProblems = Readonly<Partial<Record<RegistrationField, 'wrong' | 'no-photo'>>>

export function problemsOf(step: StepName, draft: Draft, media: readonly DraftMedia[]): DraftProblems {
  const parsed = RULES[step].safeParse(payloadOf(draft, media))
  if (!parsed.success) return Object.fromEntries(fieldsOf(parsed.error).map((name) => [name, 'wrong']))
  return step === 'photos' && !media.some((item) => item.kind === 'image') ? { photos: 'no-photo' } : {}
}

/** The step that waits for the visitor: the first one that is not complete. Those after it cannot be opened yet. */
export function nextStep(draft: Draft, media: readonly DraftMedia[]): StepName {
  const isSeen = (step: StepName) => (step !== 'preferences' && step !== 'contact') || draft.steps[step] !== undefined
  const isComplete = (step: StepName) => Object.keys(problemsOf(step, draft, media)).length === 0
  return STEPS.find((step) => !isSeen(step) || !isComplete(step)) ?? 'review'
}

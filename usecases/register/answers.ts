import { z } from 'zod'
import { MAX_INTERESTS, MAX_SIGNUP_MEDIA } from '../../domain/profile/limits.ts'

const LENGTH_MAX = 300
const CHOICES_MAX = 10
const shortened = (value: string) => value.slice(0, LENGTH_MAX)
const typed = z.string().default('').transform(shortened)
const chosen = (max: number) =>
  z
    .array(z.string())
    .default([])
    .transform((values) => values.slice(0, max).map(shortened))

export const BasicsTyped = z.object({
  step: z.literal('basics'),
  firstName: typed,
  lastName: typed,
  gender: typed,
  dob: typed,
  lookingFor: typed,
  interestedIn: chosen(CHOICES_MAX),
})
export const PreferencesTyped = z.object({
  step: z.literal('preferences'),
  ageMin: typed,
  ageMax: typed,
  distanceMiles: typed,
  visibilityMode: typed,
})
/** A sixth interest is ignored (spec 1 §5). */
export const InterestsTyped = z.object({ step: z.literal('interests'), interests: chosen(MAX_INTERESTS) })
/** `order`: the ids of the uploads as the visitor put them; later ones follow. */
export const PhotosTyped = z.object({ step: z.literal('photos'), avatar: typed, order: chosen(MAX_SIGNUP_MEDIA) })
export const ContactTyped = z.object({ step: z.literal('contact'), phone: typed })
export const ReviewTyped = z.object({ step: z.literal('review') })

/** What a visitor typed into a step. Nothing of it is judged: a draft keeps what is wrong or missing, too. */
export const StepAnswers = z.discriminatedUnion('step', [
  BasicsTyped,
  PreferencesTyped,
  InterestsTyped,
  PhotosTyped,
  ContactTyped,
  ReviewTyped,
])
export type StepAnswers = z.infer<typeof StepAnswers>

/** The same of every step that was sent so far. */
export const TypedSteps = z.object({
  basics: BasicsTyped.optional(),
  preferences: PreferencesTyped.optional(),
  interests: InterestsTyped.optional(),
  photos: PhotosTyped.optional(),
  contact: ContactTyped.optional(),
  review: ReviewTyped.optional(),
})

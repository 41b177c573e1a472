import {
  BIO_MAX,
  CITY_MAX,
  CUSTOM_INTEREST_MAX,
  HEIGHT_CM,
  MAX_AGE,
  MAX_DISTANCE_MILES,
  MAX_FAVORITES,
  MAX_HOBBIES,
  MAX_INTERESTS,
  MIN_AGE,
  NAME_MAX,
} from '../../domain/profile/limits.ts'
import { NOBODY_SOUGHT } from './sought-labels.ts'

const CHOOSE_ONE = 'Choose one.'
const TASTES = `At most ${MAX_FAVORITES} likes and dislikes together, each of at most ${CUSTOM_INTEREST_MAX} characters.`
/** What is wrong with fields of the profile, next to each (spec 2 §5). */
export const PROFILE_FIELD_WORDS = {
  firstName: `Enter a first name of at most ${NAME_MAX} characters.`,
  lastName: `Enter a last name of at most ${NAME_MAX} characters.`,
  bio: `Use at most ${BIO_MAX} characters.`,
  city: `Use at most ${CITY_MAX} characters.`,
  state: `Use at most ${CITY_MAX} characters.`,
  height: `Enter whole centimetres between ${HEIGHT_CM.min} and ${HEIGHT_CM.max}, or leave it empty.`,
  orientation: `Use at most ${CITY_MAX} characters.`,
  interests: `Choose at most ${MAX_INTERESTS}, each of at most ${CUSTOM_INTEREST_MAX} characters.`,
  hobbies: `Choose at most ${MAX_HOBBIES}, each of at most ${CUSTOM_INTEREST_MAX} characters.`,
  likes: TASTES,
  dislikes: TASTES,
  lookingFor: CHOOSE_ONE,
  vibe: CHOOSE_ONE,
  interestedIn: NOBODY_SOUGHT,
  ageMin: `Ages run from ${MIN_AGE} to ${MAX_AGE}, the lowest first.`,
  distanceMiles: `Enter miles from 0 to ${MAX_DISTANCE_MILES}.`,
  phone: 'Use the international form, like +14155550123.',
  visibilityMode: CHOOSE_ONE,
  blur: CHOOSE_ONE,
  fieldVisibility: 'Choose who sees each of them.',
}

/** The same for fields by their names. */
export function fieldWords(names: readonly string[]): Readonly<Record<string, string>> {
  const words: Readonly<Record<string, string | undefined>> = PROFILE_FIELD_WORDS
  return Object.fromEntries(names.map((name) => [name, words[name] ?? 'Could not update profile']))
}

import { z } from 'zod'
import { isCalendarDate } from '../shared/dates.ts'
import { line, optionalLine, text } from '../shared/text.ts'
import { unique } from '../shared/unique.ts'
import { spelledZone, zoneOf } from '../shared/zones.ts'
import {
  FIELD_KEYS,
  FIELD_LEVELS,
  GENDERS,
  INTERESTS,
  LOOKING_FOR,
  SOUGHT,
  VIBES,
  VISIBILITY_MODES,
} from './choices.ts'
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
} from './limits.ts'

const keyOf = (item: string) => item.toLowerCase()
/** An interest, a hobby, a like or a dislike in the member's own words. */
export const Chip = line(CUSTOM_INTEREST_MAX)
const chips = (max: number) => unique(z.array(Chip).max(max), { keyOf, message: 'Choose each one once.' })

/** The forms of a profile's fields, shared by pages, calls and commands (spec 1 §5, api-contract §6.0 and C08). */
export const Name = line(NAME_MAX)
export const OptionalLine = optionalLine(CITY_MAX)
export const Bio = text(BIO_MAX)
export const Dob = z.string().refine(isCalendarDate)
export const Gender = z.enum(GENDERS)
export const LookingFor = z.enum(LOOKING_FOR)
export const InterestedIn = unique(z.array(z.enum(SOUGHT)).min(1).max(SOUGHT.length))
/** At the wizard: one to five from the list (spec 1 §5). */
export const ListedInterests = unique(z.array(z.enum(INTERESTS)).min(1).max(MAX_INTERESTS))
/** In the profile: custom ones too (ruling R29). */
export const Interests = chips(MAX_INTERESTS)
export const Hobbies = chips(MAX_HOBBIES)
export const Likes = chips(MAX_FAVORITES)
export const Vibe = z.enum(VIBES)
export const VisibilityMode = z.enum(VISIBILITY_MODES)
export const FieldVisibility = z.record(z.enum(FIELD_KEYS), z.enum(FIELD_LEVELS))
/** An absent field keeps its level. */
export const SomeFieldVisibility = z.partialRecord(z.enum(FIELD_KEYS), z.enum(FIELD_LEVELS))
export const Height = z.number().int().min(HEIGHT_CM.min).max(HEIGHT_CM.max).nullable()
/** E.164, or empty for none. */
export const Phone = z.string().regex(/^(\+[1-9]\d{6,14})?$/, 'Use the international form, like +14155550123.')
export const Timezone = z
  .string()
  .max(64)
  .refine((zone) => zoneOf(zone) !== undefined, 'Use a time zone such as Europe/Paris.')
  .transform(spelledZone)

/** `ageRange` is [min, max] in years; 1000 miles is no limit, 0 the same grid cell and its neighbours (ruling R8). */
export const Preferences = z.object({
  ageRange: z
    .tuple([z.number().int().min(MIN_AGE).max(MAX_AGE), z.number().int().min(MIN_AGE).max(MAX_AGE)])
    .refine(([min, max]) => min <= max, 'The lowest age comes first.'),
  distanceMiles: z.number().min(0).max(MAX_DISTANCE_MILES),
})
export type Preferences = z.infer<typeof Preferences>
export const DEFAULT_PREFERENCES: Preferences = {
  ageRange: [MIN_AGE, MAX_AGE],
  distanceMiles: MAX_DISTANCE_MILES,
}

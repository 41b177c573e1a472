import { days } from '../shared/dates.ts'

/** spec 1 §9; hobbies: spec 2 §9. */
export const MIN_AGE = 18
export const MAX_AGE = 100
export const MAX_DISTANCE_MILES = 1000
export const MAX_INTERESTS = 5
export const MAX_HOBBIES = 5
export const MIN_SIGNUP_MEDIA = 2
/** api-contract C05 */
export const MAX_SIGNUP_MEDIA = 9
export const VOICE_MAX_SECONDS = 60
/** spec 2 §4 */
export const NAME_COOLDOWN_MS = days(30)
/** api-contract C08 */
export const GENDER_COOLDOWN_MS = days(30)
/** security T31 */
export const TIMEZONE_COOLDOWN_MS = days(7)
/** api-contract §6.0 */
export const NAME_MAX = 50
export const BIO_MAX = 500
export const CITY_MAX = 80
export const CUSTOM_INTEREST_MAX = 30
export const CAPTION_MAX = 300
/** api-contract C08: like: and dislike: tags together. */
export const MAX_FAVORITES = 60
/** A card or a profile shows no more (spec 2 §9). */
export const INTERESTS_SHOWN = 12
/** What a stranger may see of a limited profile (spec 2 §9). */
export const PREVIEW_PHOTOS = 3
export const PREVIEW_BIO = 160
export const HEIGHT_CM = { min: 90, max: 250 } as const

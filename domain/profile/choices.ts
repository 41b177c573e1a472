/** The lists that a member chooses from. Browser-safe. */

/** spec 1 §3 */
export const GENDERS = ['Male', 'Female', 'Non-binary', 'Other', 'Prefer not to say'] as const
export type Gender = (typeof GENDERS)[number]

/** spec 1 §3 */
export const SOUGHT = ['male', 'female', 'other'] as const
export type Sought = (typeof SOUGHT)[number]

/** Whom a gender counts as for those who seek (ruling R28). */
export function soughtAs(gender: Gender): Sought {
  if (gender === 'Male') return 'male'
  return gender === 'Female' ? 'female' : 'other'
}

/** spec 1 §3: what a member looks for, and the public vibes. */
export const LOOKING_FOR = ['serious', 'casual', 'friends', 'gymbuddy'] as const
export type LookingFor = (typeof LOOKING_FOR)[number]
export const LOOKING_FOR_LABELS: Record<LookingFor, string> = {
  serious: 'Long-term',
  casual: 'Casual',
  friends: 'Friends',
  gymbuddy: 'Gym buddy',
}

/** Shown to matches alone (ruling R33). */
export const PRIVATE_VIBES = ['flirty', 'chill', 'timepass'] as const
export const PRIVATE_VIBE_LABELS: Record<(typeof PRIVATE_VIBES)[number], string> = {
  flirty: 'Flirty',
  chill: 'Chill',
  timepass: 'Time pass',
}
/** Need eligibility (spec 1 §6). */
export const RESTRICTED_MODES = ['ons', 'threesome', 'onlyfans'] as const
export const VIBES = [...LOOKING_FOR, ...PRIVATE_VIBES, ...RESTRICTED_MODES] as const
export type Vibe = (typeof VIBES)[number]

/** spec 1 §3 */
export const VISIBILITY_MODES = ['auto', 'limited', 'full', 'hidden'] as const
export type VisibilityMode = (typeof VISIBILITY_MODES)[number]

/** spec 2 §3 */
export const FIELD_LEVELS = ['public', 'matches', 'hidden'] as const
export type FieldLevel = (typeof FIELD_LEVELS)[number]
export const FIELD_KEYS = [
  'age',
  'height',
  'city',
  'orientation',
  'interests',
  'hobbies',
  'likes',
  'dislikes',
  'lookingFor',
  'voiceIntro',
  'photos',
] as const
export type FieldKey = (typeof FIELD_KEYS)[number]
export type FieldVisibility = Readonly<Record<FieldKey, FieldLevel>>

/** Every key is public but photos, which are for matches (ruling R2). */
export const DEFAULT_FIELD_VISIBILITY: FieldVisibility = {
  age: 'public',
  height: 'public',
  city: 'public',
  orientation: 'public',
  interests: 'public',
  hobbies: 'public',
  likes: 'public',
  dislikes: 'public',
  lookingFor: 'public',
  voiceIntro: 'public',
  photos: 'matches',
}

/** Ruling R41; the first ten are the presets. */
export const INTERESTS = [
  'Music',
  'Travel',
  'Movies',
  'Foodie',
  'Sports',
  'Art',
  'Books',
  'Gaming',
  'Fitness',
  'Pets',
  'Hiking',
  'Cooking',
  'Photography',
  'Dancing',
  'Yoga',
  'Coding',
  'Board Games',
  'Gardening',
  'Cycling',
  'Volunteering',
  'Running',
  'Swimming',
  'Climbing',
  'Surfing',
  'Skiing',
  'Camping',
  'Nature',
  'Beach',
  'Theatre',
  'Concerts',
  'Festivals',
  'Karaoke',
  'Singing',
  'Guitar',
  'Podcasts',
  'Writing',
  'Poetry',
  'Languages',
  'History',
  'Science',
  'Astronomy',
  'Technology',
  'Fashion',
  'Design',
  'DIY',
  'Coffee',
  'Wine',
  'Baking',
  'Meditation',
] as const

/** spec 2 §9 */
export const PRESET_HOBBIES = [
  'Hiking',
  'Cooking',
  'Photography',
  'Dancing',
  'Yoga',
  'Coding',
  'Board Games',
  'Gardening',
  'Cycling',
  'Volunteering',
] as const

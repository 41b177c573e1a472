import { isErased } from '../shared/personal.ts'
import { DEFAULT_FIELD_VISIBILITY, type FieldVisibility, type Gender, type VisibilityMode } from './choices.ts'
import type { ProfileEvent } from './events.ts'
import { DEFAULT_PREFERENCES, type Preferences } from './fields.ts'

/** Everything a member entered about themselves but pictures and voice; an erased field reads as its empty value. */
export type Profile = {
  readonly started: boolean
  readonly firstName: string
  readonly lastName: string
  readonly nameChangedAt: Date | null
  readonly dob: string
  readonly gender: Gender | ''
  readonly genderChangedAt: Date | null
  readonly bio: string
  readonly city: string
  readonly state: string
  readonly location: string
  readonly height: number | null
  readonly orientation: string
  readonly interests: readonly string[]
  readonly hobbies: readonly string[]
  readonly likes: readonly string[]
  readonly dislikes: readonly string[]
  readonly phone: string
  readonly lookingFor: string
  readonly interestedIn: readonly string[]
  readonly preferences: Preferences
  readonly vibe: string
  readonly timezone: string
  readonly timezoneChangedAt: Date | null
  readonly visibilityMode: VisibilityMode
  readonly visibility: 'active' | 'invisible'
  readonly blur: 'clear' | 'blurred'
  readonly fieldVisibility: FieldVisibility
}

export const emptyProfile: Profile = {
  started: false,
  firstName: '',
  lastName: '',
  nameChangedAt: null,
  dob: '',
  gender: '',
  genderChangedAt: null,
  bio: '',
  city: '',
  state: '',
  location: '',
  height: null,
  orientation: '',
  interests: [],
  hobbies: [],
  likes: [],
  dislikes: [],
  phone: '',
  lookingFor: '',
  interestedIn: [],
  preferences: DEFAULT_PREFERENCES,
  vibe: '',
  timezone: 'UTC',
  timezoneChangedAt: null,
  visibilityMode: 'auto',
  visibility: 'active',
  blur: 'clear',
  fieldVisibility: DEFAULT_FIELD_VISIBILITY,
}

/** The fields of the profile that the event carries and that can still be read. */
function readable(event: ProfileEvent): Partial<Profile> {
  return Object.fromEntries(Object.entries(event).filter(([key, value]) => key in emptyProfile && !isErased(value)))
}

/** Folds a profile; also the read model's fold, so that a rule and a page never read a field two ways. */
export function evolveProfile(profile: Profile, event: ProfileEvent): Profile {
  const next = { ...profile, ...readable(event) }
  switch (event.type) {
    case 'ProfileStarted':
      return { ...next, started: true, vibe: next.lookingFor, visibility: visibilityFor(event.visibilityMode) }
    case 'NameChanged':
      return { ...next, nameChangedAt: event.at }
    case 'GenderChanged':
      return { ...next, genderChangedAt: event.at }
    case 'TimezoneChanged':
      return { ...next, timezoneChangedAt: event.at }
    case 'FieldVisibilitySet':
      return { ...next, fieldVisibility: { ...profile.fieldVisibility, ...event.fieldVisibility } }
    default:
      return next
  }
}

/** Choosing hidden makes invisible (spec 2 §4). */
export function visibilityFor(mode: VisibilityMode): 'active' | 'invisible' {
  return mode === 'hidden' ? 'invisible' : 'active'
}

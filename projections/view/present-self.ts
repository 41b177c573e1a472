import type { FieldVisibility, VisibilityMode } from '../../domain/profile/choices.ts'
import type { Preferences } from '../../domain/profile/fields.ts'
import { zodiac } from '../../domain/profile/zodiac.ts'
import { ageOn } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ProfileRow } from '../profiles/table.ts'
import type { GalleryItem } from './galleries.ts'
import { favoritesOf, type MediaView, mediaOf, mediaUrl } from './present.ts'
import { photosFor } from './visibility.ts'

/** One's own profile, whole (api-contract §6.3). `age` is null before the wizard is finished. */
export type SelfView = {
  id: MemberId
  email: string
  phone: string
  status: ProfileRow['status']
  /** The wizard is finished. */
  registered: boolean
  firstName: string
  lastName: string
  nameChangedAt: string | null
  genderChangedAt: string | null
  createdAt: string
  dob: string
  age: number | null
  zodiac: string | null
  gender: string
  orientation: string
  bio: string
  city: string
  state: string
  location: string
  height: number | null
  interests: readonly string[]
  hobbies: readonly string[]
  likes: readonly string[]
  dislikes: readonly string[]
  favorites: readonly string[]
  lookingFor: string
  interestedIn: readonly string[]
  preferences: Preferences
  vibe: string
  timezone: string
  visibilityMode: VisibilityMode
  visibility: 'active' | 'invisible' | 'deactivated'
  blur: 'clear' | 'blurred'
  fieldVisibility: FieldVisibility
  verified: boolean
  avatar: string | null
  voiceIntro: string | null
  media: readonly MediaView[]
}

export function presentSelf(row: ProfileRow, gallery: readonly GalleryItem[], now: Date): SelfView {
  return {
    ...account(row),
    ...words(row),
    age: row.dob === '' ? null : ageOn(row.dob, now),
    zodiac: row.dob === '' ? null : zodiac(row.dob),
    favorites: [...favoritesOf(row, true, true, true), `blur:${row.blur}`],
    avatar: row.avatar && mediaUrl(row.avatar),
    voiceIntro: row.voice && mediaUrl(row.voice),
    media: photosFor('self', row, gallery).map(({ item }) => mediaOf(item)),
  }
}

function account(row: ProfileRow) {
  return {
    id: row.member as MemberId,
    email: row.email,
    phone: row.phone,
    status: row.status,
    registered: row.started,
    nameChangedAt: row.name_changed_at?.toISOString() ?? null,
    genderChangedAt: row.gender_changed_at?.toISOString() ?? null,
    createdAt: row.registered_at.toISOString(),
    visibilityMode: row.visibility_mode,
    visibility: row.status === 'deactivated' ? ('deactivated' as const) : row.visibility,
    blur: row.blur,
    fieldVisibility: row.field_visibility,
    verified: row.verified,
  }
}

function words(row: ProfileRow) {
  return {
    firstName: row.first_name,
    lastName: row.last_name,
    dob: row.dob,
    gender: row.gender,
    orientation: row.orientation,
    bio: row.bio,
    city: row.city,
    state: row.state,
    location: row.location,
    height: row.height,
    interests: row.interests,
    hobbies: row.hobbies,
    likes: row.likes,
    dislikes: row.dislikes,
    lookingFor: row.looking_for,
    interestedIn: row.interested_in,
    preferences: row.preferences,
    vibe: row.vibe,
    timezone: row.timezone,
  }
}

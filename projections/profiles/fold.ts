import { DEFAULT_FIELD_VISIBILITY, type Gender } from '../../domain/profile/choices.ts'
import type { ProfileEvent } from '../../domain/profile/events.ts'
import { DEFAULT_PREFERENCES } from '../../domain/profile/fields.ts'
import { evolveProfile, type Profile } from '../../domain/profile/state.ts'
import type { ProfileRow } from './table.ts'

/** The row as the profile's own state: rules and pages read a field one way. */
export function profileOf(row: ProfileRow): Profile {
  return {
    started: row.started,
    firstName: row.first_name,
    lastName: row.last_name,
    nameChangedAt: row.name_changed_at,
    dob: row.dob,
    gender: row.gender as Gender | '',
    genderChangedAt: row.gender_changed_at,
    bio: row.bio,
    city: row.city,
    state: row.state,
    location: row.location,
    height: row.height,
    orientation: row.orientation,
    interests: row.interests,
    hobbies: row.hobbies,
    likes: row.likes,
    dislikes: row.dislikes,
    phone: row.phone,
    lookingFor: row.looking_for,
    interestedIn: row.interested_in,
    preferences: row.preferences,
    vibe: row.vibe,
    timezone: row.timezone,
    timezoneChangedAt: row.timezone_changed_at,
    visibilityMode: row.visibility_mode,
    visibility: row.visibility,
    blur: row.blur,
    fieldVisibility: row.field_visibility,
  }
}

function columnsOf(profile: Profile) {
  return {
    started: profile.started,
    first_name: profile.firstName,
    last_name: profile.lastName,
    name_changed_at: profile.nameChangedAt,
    dob: profile.dob,
    gender: profile.gender,
    gender_changed_at: profile.genderChangedAt,
    bio: profile.bio,
    city: profile.city,
    state: profile.state,
    location: profile.location,
    height: profile.height,
    orientation: profile.orientation,
    interests: profile.interests,
    hobbies: profile.hobbies,
    likes: profile.likes,
    dislikes: profile.dislikes,
    phone: profile.phone,
    looking_for: profile.lookingFor,
    interested_in: profile.interestedIn,
    preferences: profile.preferences,
    vibe: profile.vibe,
    timezone: profile.timezone,
    timezone_changed_at: profile.timezoneChangedAt,
    visibility_mode: profile.visibilityMode,
    visibility: profile.visibility,
    blur: profile.blur,
    field_visibility: profile.fieldVisibility,
  }
}

/** A member who has entered nothing yet. */
export function emptyRow(member: string, email: string, at: Date, empty: Profile): ProfileRow {
  return {
    member,
    email,
    status: 'active',
    registered_at: at,
    ...columnsOf(empty),
    preferences: DEFAULT_PREFERENCES,
    field_visibility: DEFAULT_FIELD_VISIBILITY,
    verified: false,
    avatar: null,
    voice: null,
  }
}

export function evolveRow(row: ProfileRow, event: ProfileEvent): ProfileRow {
  return { ...row, ...columnsOf(evolveProfile(profileOf(row), event)) }
}

import type { FieldVisibility, VisibilityMode } from '../../domain/profile/choices.ts'
import type { Preferences } from '../../domain/profile/fields.ts'
import type { Table } from '../table.ts'

/** All that a member entered, with the account's status beside it; an erased member has no row. */
export type ProfileRow = {
  member: string
  status: 'active' | 'deactivated' | 'suspended'
  started: boolean
  email: string
  registered_at: Date
  first_name: string
  last_name: string
  name_changed_at: Date | null
  dob: string
  gender: string
  gender_changed_at: Date | null
  bio: string
  city: string
  state: string
  location: string
  height: number | null
  orientation: string
  interests: readonly string[]
  hobbies: readonly string[]
  likes: readonly string[]
  dislikes: readonly string[]
  phone: string
  looking_for: string
  interested_in: readonly string[]
  preferences: Preferences
  vibe: string
  timezone: string
  timezone_changed_at: Date | null
  visibility_mode: VisibilityMode
  visibility: 'active' | 'invisible'
  blur: 'clear' | 'blurred'
  field_visibility: FieldVisibility
  verified: boolean
  avatar: string | null
  voice: string | null
}

export const profile: Table<ProfileRow> = {
  name: 'profile',
  columns: {
    member: 'text collate "C" not null',
    status: 'text not null',
    started: 'boolean not null',
    email: 'text not null',
    registered_at: 'timestamptz not null',
    first_name: 'text not null',
    last_name: 'text not null',
    name_changed_at: 'timestamptz',
    dob: 'text collate "C" not null',
    gender: 'text not null',
    gender_changed_at: 'timestamptz',
    bio: 'text not null',
    city: 'text not null',
    state: 'text not null',
    location: 'text not null',
    height: 'integer',
    orientation: 'text not null',
    interests: 'jsonb not null',
    hobbies: 'jsonb not null',
    likes: 'jsonb not null',
    dislikes: 'jsonb not null',
    phone: 'text not null',
    looking_for: 'text not null',
    interested_in: 'jsonb not null',
    preferences: 'jsonb not null',
    vibe: 'text not null',
    timezone: 'text not null',
    timezone_changed_at: 'timestamptz',
    visibility_mode: 'text not null',
    visibility: 'text not null',
    blur: 'text not null',
    field_visibility: 'jsonb not null',
    verified: 'boolean not null',
    avatar: 'text collate "C"',
    voice: 'text collate "C"',
  },
  key: ['member'],
  unsampled: [
    ...([
      'email',
      'first_name',
      'last_name',
      'dob',
      'bio',
      'city',
      'state',
      'location',
      'height',
      'orientation',
    ] as const),
    ...(['interests', 'hobbies', 'likes', 'dislikes', 'phone', 'preferences'] as const),
  ],
}

import type { Sought, VisibilityMode } from '../../domain/profile/choices.ts'
import type { Table } from '../table.ts'

/** What the deck asks of a member. One who may not be shown keeps the row, out of the deck's index. */
export type CandidateRow = {
  member: string
  /** May appear in a deck: active, complete, visible, at least two media. */
  discoverable: boolean
  status: 'active' | 'deactivated' | 'suspended'
  started: boolean
  visibility_mode: VisibilityMode
  visibility: 'active' | 'invisible'
  media_count: number
  sought_as: Sought
  seeks_male: boolean
  seeks_female: boolean
  seeks_other: boolean
  dob: string
  age_min: number
  age_max: number
  distance_miles: number
  vibe: string
  interests: readonly string[]
  /** Whether strangers see the field: a filter reveals no more than a card does. */
  age_shown: boolean
  vibe_shown: boolean
  interests_shown: boolean
  /** The position of the last event that `media_count` counts. */
  media_counted_to: string
}

export const candidate: Table<CandidateRow> = {
  name: 'candidate',
  columns: {
    member: 'text collate "C" not null',
    discoverable: 'boolean not null',
    status: 'text not null',
    started: 'boolean not null',
    visibility_mode: 'text not null',
    visibility: 'text not null',
    media_count: 'integer not null',
    sought_as: 'text not null',
    seeks_male: 'boolean not null',
    seeks_female: 'boolean not null',
    seeks_other: 'boolean not null',
    dob: 'text collate "C" not null',
    age_min: 'integer not null',
    age_max: 'integer not null',
    distance_miles: 'double precision not null',
    vibe: 'text not null',
    interests: 'jsonb not null',
    age_shown: 'boolean not null',
    vibe_shown: 'boolean not null',
    interests_shown: 'boolean not null',
    media_counted_to: 'text collate "C" not null',
  },
  key: ['member'],
  unsampled: ['interests'],
  indexes: [{ on: 'sought_as, dob', where: 'discoverable', serves: 'listCandidates for members without a position' }],
}

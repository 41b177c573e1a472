import type { Table } from '../table.ts'

/**
 * The relationship of `member` to `other`; each pair has a row for either direction. A time is null while it is not so.
 */
export type RelationRow = {
  member: string
  other: string
  liked_at: Date | null
  liked_me_at: Date | null
  matched_at: Date | null
  unmatched_at: Date | null
  blocked_at: Date | null
  blocked_me_at: Date | null
  /** The block is kept from an account that the other had before (security T16): who came back is not named to the blocker. */
  block_kept: boolean
  skipped_at: Date | null
  skipped_until: Date | null
  /** Where a skip is all that there is: its end, and the row's. */
  ends_at: Date | null
}

export const relation: Table<RelationRow> = {
  name: 'relation',
  columns: {
    member: 'text collate "C" not null',
    other: 'text collate "C" not null',
    liked_at: 'timestamptz',
    liked_me_at: 'timestamptz',
    matched_at: 'timestamptz',
    unmatched_at: 'timestamptz',
    blocked_at: 'timestamptz',
    blocked_me_at: 'timestamptz',
    block_kept: 'boolean not null',
    skipped_at: 'timestamptz',
    skipped_until: 'timestamptz',
    ends_at: 'timestamptz',
  },
  key: ['member', 'other'],
  expires: 'ends_at',
  indexes: [{ on: 'other', serves: 'the removal of an erased member' }],
}

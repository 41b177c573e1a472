import type { RecordedEvent } from '../../domain/all-events.ts'
import { type Change, fold, type Projection, removeWhere } from '../projection.ts'
import { type RelationRow, relation } from './table.ts'

const strangers = {
  liked_at: null,
  liked_me_at: null,
  matched_at: null,
  unmatched_at: null,
  blocked_at: null,
  blocked_me_at: null,
  block_kept: false,
  skipped_at: null,
  skipped_until: null,
}

const apart = { liked_at: null, liked_me_at: null, matched_at: null }
type News = Partial<Omit<RelationRow, 'member' | 'other' | 'ends_at'>>

/** A skip leaves nothing behind (ruling R11); what there is beside it stays. */
function ended(row: Omit<RelationRow, 'ends_at'>): RelationRow {
  const { liked_at, liked_me_at, matched_at, unmatched_at, blocked_at, blocked_me_at } = row
  const more = liked_at ?? liked_me_at ?? matched_at ?? unmatched_at ?? blocked_at ?? blocked_me_at
  return { ...row, ends_at: more ? null : row.skipped_until }
}

function towards(member: string, other: string, news: News): Change {
  return fold(relation, { member, other }, (row) => ended({ ...strangers, ...row, member, other, ...news }))
}

const both = (a: string, b: string, news: News): Change[] => [towards(a, b, news), towards(b, a, news)]

function blocked({ by, target, at, meta }: RecordedEvent<'Blocked'>): Change[] {
  const block = { blocked_at: at, block_kept: meta.actor !== by }
  return [towards(by, target, { ...apart, ...block }), towards(target, by, { ...apart, blocked_me_at: at })]
}

/** The relationship of any two members, seen from either side: likes, matches, blocks and skips (spec 2 §2). */
export const relations: Projection = {
  name: 'relations',
  version: 3,
  // What ends something between the two, at once; what begins something waits: a later end of it may be what cannot be applied.
  ahead: { Blocked: 1, Unmatched: 3, BuzzWithdrawn: 3 },
  tables: [relation],
  when: {
    Buzzed: ({ from, to, at }) => [towards(from, to, { liked_at: at }), towards(to, from, { liked_me_at: at })],
    BuzzWithdrawn: ({ from, to }) => [towards(from, to, { liked_at: null }), towards(to, from, { liked_me_at: null })],
    Matched: ({ members: [a, b], at }) => both(a, b, { matched_at: at, unmatched_at: null }),
    Unmatched: ({ by, target, at }) => both(by, target, { ...apart, unmatched_at: at }),
    Blocked: blocked,
    Unblocked: ({ by, target }) => [
      towards(by, target, { blocked_at: null, block_kept: false }),
      towards(target, by, { blocked_me_at: null }),
    ],
    Skipped: ({ by, target, until, at }) => [towards(by, target, { skipped_at: at, skipped_until: until })],
    SkipUndone: ({ by, target }) => [towards(by, target, { skipped_at: null, skipped_until: null })],
    AccountErased: ({ member }) => [removeWhere(relation, { member }), removeWhere(relation, { other: member })],
  },
}

import { expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { relations } from '../../projections/relations/project.ts'
import {
  findLastSkip,
  getSocialStats,
  listBlocks,
  listLiked,
  listLikedYou,
  listMatches,
  listSkipped,
} from '../../projections/relations/queries.ts'
import { relation } from '../../projections/relations/table.ts'
import {
  ann,
  bea,
  blocked,
  buzzed,
  cat,
  dan,
  erased,
  matched,
  minute,
  T0,
  unblocked,
  unmatched,
} from '../support/people.ts'
import { project } from '../support/project.ts'
import { readOfTests } from '../support/read-of-tests.ts'
import { recorded } from '../support/recorded.ts'

const now = { now: T0 }
const { having } = readOfTests(['Ann', 'Bea', 'Cat', 'Dan'])
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

test('a buzz shows as liked on one side and as liked you on the other', async () => {
  const db = await having(buzzed(ann, bea))
  expect(ids(await listLiked(db, ann, now))).toEqual([bea])
  expect(ids(await listLikedYou(db, bea, now))).toEqual([ann])
  expect([await listLiked(db, bea, now), await listLikedYou(db, ann, now)]).toEqual([[], []])
})

test('a match moves both from the lists of likes to the list of matches, with last name and avatar', async () => {
  const db = await having(...matched(ann, bea))
  expect(await listMatches(db, ann)).toEqual([
    { id: bea, firstName: 'Bea', lastName: 'Beason', avatar: '/media/mbea1zzzzzzzzzzzzzzzzzzz' },
  ])
  expect(ids(await listMatches(db, bea))).toEqual([ann])
  expect(await listLiked(db, ann, now)).toEqual([])
  expect(await getSocialStats(db, ann)).toEqual({ likedCount: 0, likedYouCount: 0, matchCount: 1 })
})

test('the counts are the lengths of the lists', async () => {
  const db = await having(buzzed(ann, bea), buzzed(cat, ann), ...matched(ann, dan), blocked(cat, ann))
  expect(await getSocialStats(db, ann)).toEqual({ likedCount: 1, likedYouCount: 0, matchCount: 1 })
  expect(await listLikedYou(db, ann, now)).toEqual([])
})

test.each([
  ['unmatched', unmatched(ann, bea)],
  ['blocked by the viewer', blocked(ann, bea)],
  ['who blocked the viewer', blocked(bea, ann)],
  ['deactivated', { type: 'AccountDeactivated', member: bea, at: T0 } as const],
  ['suspended', { type: 'AccountSuspended', member: bea, reason: 'spam', at: T0 } as const],
  ['erased', erased(bea)],
])('a match is not listed when %s', async (_what, event) => {
  const db = await having(...matched(ann, bea), event)
  expect(await listMatches(db, ann)).toEqual([])
  expect((await getSocialStats(db, ann)).matchCount).toBe(0)
})

test('a hidden member stays listed for matches and leaves the lists of likes', async () => {
  const hide: DomainEvent = { type: 'VisibilityChanged', member: bea, visibility: 'invisible', at: T0 }
  const db = await having(buzzed(cat, bea), ...matched(ann, bea), hide)
  expect(ids(await listMatches(db, ann))).toEqual([bea])
  expect(await listLiked(db, cat, now)).toEqual([])
})

test('only the one who blocked sees the block, without a last name', async () => {
  const db = await having(...matched(ann, bea), blocked(ann, bea))
  expect(await listBlocks(db, ann)).toEqual([{ id: bea, firstName: 'Bea', lastName: '' }])
  expect(await listBlocks(db, bea)).toEqual([])
})

test('unblocking does not bring the match back', async () => {
  const db = await having(...matched(ann, bea), blocked(ann, bea), unblocked(ann, bea))
  expect([await listBlocks(db, ann), await listMatches(db, ann)]).toEqual([[], []])
})

test('the last skip that still holds is the one to undo', async () => {
  const skip = (target: typeof bea, at: Date, until: Date): DomainEvent => ({
    type: 'Skipped',
    by: ann,
    target,
    until,
    at,
  })
  const db = await having(
    skip(bea, minute(1), minute(100)),
    skip(cat, minute(2), minute(100)),
    skip(dan, minute(3), minute(4)),
  )
  expect(await findLastSkip(db, ann, minute(5))).toBe(cat)
  expect(ids(await listSkipped(db, ann, { now: minute(5) }))).toEqual([cat, bea])
  expect(await findLastSkip(db, ann, minute(101))).toBeNull()
})

test('a skipped member who blocked the viewer is in no list', async () => {
  const skip: DomainEvent = { type: 'Skipped', by: ann, target: bea, until: minute(100), at: minute(1) }
  const db = await having(skip, blocked(bea, ann))
  expect(await listSkipped(db, ann, { now: minute(5) })).toEqual([])
  expect(await findLastSkip(db, ann, minute(5))).toBeNull()
})

test('an erased member leaves no row on either side', () => {
  const folded = project(relations, recorded(...matched(ann, bea), buzzed(cat, bea), erased(bea)))
  expect(folded.rows(relation)).toEqual([])
})

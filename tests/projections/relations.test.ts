import { expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { cursorFrom, type Page, type PageAsked } from '../../projections/paging.ts'
import type { ReadDb } from '../../projections/projection.ts'
import { relations } from '../../projections/relations/project.ts'
import {
  getSocialStats,
  lastSkipOf,
  listBlocks,
  listLiked,
  listLikedYou,
  listMatches,
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

const now = { now: T0, eligible: false }
const { having } = readOfTests(['Ann', 'Bea', 'Cat', 'Dan'])
const items = async <T>(page: Promise<Page<T>>) => (await page).items
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

const lastSkip = async (db: ReadDb, now: Date) => (await lastSkipOf(db, ann, now).executeTakeFirst())?.other ?? null

test('a buzz shows as liked on one side and as liked you on the other', async () => {
  const db = await having(buzzed(ann, bea))
  expect(ids(await items(listLiked(db, ann, now)))).toEqual([bea])
  expect(ids(await items(listLikedYou(db, bea, now)))).toEqual([ann])
  expect([await items(listLiked(db, bea, now)), await items(listLikedYou(db, ann, now))]).toEqual([[], []])
})

test('a match moves both from the lists of likes to the list of matches, with last name and avatar', async () => {
  const db = await having(...matched(ann, bea))
  expect(await items(listMatches(db, ann))).toEqual([
    { id: bea, firstName: 'Bea', lastName: 'Beason', avatar: '/media/mbea1zzzzzzzzzzzzzzzzzzz' },
  ])
  expect(ids(await items(listMatches(db, bea)))).toEqual([ann])
  expect(await items(listLiked(db, ann, now))).toEqual([])
  expect(await getSocialStats(db, ann)).toEqual({ likedCount: 0, likedYouCount: 0, matchCount: 1 })
})

test('the counts are the lengths of the lists', async () => {
  const db = await having(buzzed(ann, bea), buzzed(cat, ann), ...matched(ann, dan), blocked(cat, ann))
  expect(await getSocialStats(db, ann)).toEqual({ likedCount: 1, likedYouCount: 0, matchCount: 1 })
  expect(await items(listLikedYou(db, ann, now))).toEqual([])
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
  expect(await items(listMatches(db, ann))).toEqual([])
  expect((await getSocialStats(db, ann)).matchCount).toBe(0)
})

test('a hidden member stays listed for matches and leaves the lists of likes', async () => {
  const hide: DomainEvent = { type: 'VisibilityChanged', member: bea, visibility: 'invisible', at: T0 }
  const db = await having(buzzed(cat, bea), ...matched(ann, bea), hide)
  expect(ids(await items(listMatches(db, ann)))).toEqual([bea])
  expect(await items(listLiked(db, cat, now))).toEqual([])
})

test('only the one who blocked sees the block, without a last name', async () => {
  const db = await having(...matched(ann, bea), blocked(ann, bea))
  expect(await items(listBlocks(db, ann))).toEqual([{ id: bea, firstName: 'Bea', lastName: '' }])
  expect(await items(listBlocks(db, bea))).toEqual([])
})

test.each([
  ['blocked the viewer too', blocked(bea, ann)],
  ['is deactivated', { type: 'AccountDeactivated', member: bea, at: T0 } as const],
  ['is suspended', { type: 'AccountSuspended', member: bea, reason: 'spam', at: T0 } as const],
  ['is invisible', { type: 'VisibilityChanged', member: bea, visibility: 'invisible', at: T0 } as const],
])('the list of blocks has no name of somebody who %s', async (_what, event) => {
  const db = await having(blocked(ann, bea), event, blocked(ann, cat))
  const named = [
    { id: bea, firstName: '', lastName: '' },
    { id: cat, firstName: 'Cat', lastName: '' },
  ]
  expect((await items(listBlocks(db, ann))).sort((a, b) => (a.firstName < b.firstName ? -1 : 1))).toEqual(named)
})

test('unblocking does not bring the match back', async () => {
  const db = await having(...matched(ann, bea), blocked(ann, bea), unblocked(ann, bea))
  expect([await items(listBlocks(db, ann)), await items(listMatches(db, ann))]).toEqual([[], []])
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
  expect(await lastSkip(db, minute(5))).toBe(cat)
  expect(await lastSkip(db, minute(101))).toBeNull()
})

test('the skip of a member who blocked the viewer is not there to undo', async () => {
  const skip: DomainEvent = { type: 'Skipped', by: ann, target: bea, until: minute(100), at: minute(1) }
  const db = await having(skip, blocked(bea, ann))
  expect(await lastSkip(db, minute(5))).toBeNull()
})

test('an erased member leaves no row on either side', () => {
  const folded = project(relations, recorded(...matched(ann, bea), buzzed(cat, bea), erased(bea)))
  expect(folded.rows(relation)).toEqual([])
})

test('lists follow page by page to the end, also where several are of the same time', async () => {
  const db = await having(...matched(ann, bea, minute(2)), ...matched(ann, cat, minute(2)), ...matched(ann, dan))
  const [first, second] = [bea, cat].sort()
  const one = await listMatches(db, ann, { limit: 2 })
  expect(ids(one.items)).toEqual([first, second])
  const rest = await listMatches(db, ann, { limit: 2, after: cursorFrom(one.next) })
  expect([ids(rest.items), rest.next]).toEqual([[dan], null])
  const from = async (offset: number) => ids((await listMatches(db, ann, { offset, limit: 1 })).items)
  expect(await Promise.all([0, 1, 2, 3, 1_001].map(from))).toEqual([[first], [second], [dan], [], []])
})

test('likes and blocks are paged alike', async () => {
  const likes = [buzzed(ann, bea), buzzed(ann, cat), buzzed(bea, dan), buzzed(cat, dan)]
  const db = await having(...likes, blocked(dan, ann), blocked(dan, bea))
  for (const list of [
    (asked: PageAsked) => listLiked(db, ann, { ...asked, ...now }),
    (asked: PageAsked) => listBlocks(db, dan, asked),
  ]) {
    const one = await list({ limit: 1 })
    const two = await list({ limit: 1, after: cursorFrom(one.next) })
    expect([one.items.length, two.items.length, two.next]).toEqual([1, 1, null])
    expect(ids(one.items)).not.toEqual(ids(two.items))
  }
})

test.each([null, '', 'x', '1_short', `9e9_${bea}`])('the cursor %s begins at the start', (text) => {
  expect(cursorFrom(text)).toBeUndefined()
})

import { sql } from 'kysely'
import type { MemberId } from '../../domain/shared/ids.ts'
import { isToCome } from '../expiry.ts'
import { behind, OFFSET_MAX, type Page, type PageAsked, pageOf, pageSize } from '../paging.ts'
import type { ReadDb } from '../projection.ts'
import { type CardOptions, loadCards } from '../view/cards.ts'
import { listed } from '../view/policy.ts'
import { type Card, mediaUrl } from '../view/present.ts'
import { firstNameFor } from '../view/visibility.ts'

/** A match in a list (spec 1 §3). `online` is added by who knows of presence. */
export type Match = { id: MemberId; firstName: string; lastName: string; avatar: string | null; online?: boolean }
export type BlockEntry = { id: MemberId; firstName: string; lastName: string }
export type SocialStats = { likedCount: number; likedYouCount: number; matchCount: number }

function othersOf(db: ReadDb, viewer: MemberId) {
  return db.selectFrom('relation as r').innerJoin('profile as p', 'p.member', 'r.other').where('r.member', '=', viewer)
}

const matchesOf = (db: ReadDb, viewer: MemberId) =>
  othersOf(db, viewer).where('r.matched_at', 'is not', null).where(listed)

function likesOf(db: ReadDb, viewer: MemberId, side: 'liked_at' | 'liked_me_at') {
  return othersOf(db, viewer).where(`r.${side}`, 'is not', null).where('r.matched_at', 'is', null).where(listed)
}

type Since = 'matched_at' | 'liked_at' | 'liked_me_at' | 'blocked_at'

/** A page of these others, the latest first. */
function latest(query: ReturnType<typeof othersOf>, since: Since, { after, offset = 0, limit }: PageAsked) {
  const at = sql.ref<Date>(`r.${since}`)
  const from = after ? query.where(behind(at, sql.ref('r.other'), after)) : query
  return from
    .select(['r.other', at.as('at')])
    .orderBy(at, 'desc')
    .orderBy('r.other')
    .offset(offset)
    .limit(offset > OFFSET_MAX ? 0 : pageSize(limit) + 1)
}

/** A page of the viewer's matches, the latest first (api-contract C21). */
export async function listMatches(db: ReadDb, viewer: MemberId, asked: PageAsked = {}): Promise<Page<Match>> {
  const rows = await latest(matchesOf(db, viewer), 'matched_at', asked)
    .select(['p.first_name', 'p.last_name', 'p.avatar', 'p.field_visibility'])
    .execute()
  return pageOf(rows, pageSize(asked.limit), (row) => ({
    id: row.other as MemberId,
    firstName: row.first_name,
    lastName: row.last_name,
    avatar: avatarForMatch(row.avatar, row.field_visibility),
  }))
}

/** A match sees the picture itself, unless photos are hidden from all. */
export function avatarForMatch(avatar: string | null, levels: { readonly photos: string } | null): string | null {
  return avatar && levels?.photos !== 'hidden' ? mediaUrl(avatar) : null
}

async function listLikes(
  db: ReadDb,
  viewer: MemberId,
  side: 'liked_at' | 'liked_me_at',
  options: CardsAsked,
): Promise<Page<Card>> {
  const rows = await latest(likesOf(db, viewer, side), side, options).execute()
  const { items, next } = pageOf(rows, pageSize(options.limit), (row) => row.other)
  return { items: await loadCards(db, viewer, items, options), next }
}

type CardsAsked = CardOptions & PageAsked

/** A page of those whom the viewer likes and has not matched with (api-contract C37). */
export function listLiked(db: ReadDb, viewer: MemberId, options: CardsAsked): Promise<Page<Card>> {
  return listLikes(db, viewer, 'liked_at', options)
}

/** A page of those who like the viewer and have not matched (api-contract C38). */
export function listLikedYou(db: ReadDb, viewer: MemberId, options: CardsAsked): Promise<Page<Card>> {
  return listLikes(db, viewer, 'liked_me_at', options)
}

/** The lengths of the three lists (api-contract C35). */
export async function getSocialStats(db: ReadDb, viewer: MemberId): Promise<SocialStats> {
  const count = sql<number>`count(*)::int`.as('n')
  const row = await db
    .selectNoFrom([
      likesOf(db, viewer, 'liked_at').select(count).as('likedCount'),
      likesOf(db, viewer, 'liked_me_at').select(count).as('likedYouCount'),
      matchesOf(db, viewer).select(count).as('matchCount'),
    ])
    .executeTakeFirstOrThrow()
  return { likedCount: row.likedCount ?? 0, likedYouCount: row.likedYouCount ?? 0, matchCount: row.matchCount ?? 0 }
}

/**
 * A page of those whom the viewer blocked themselves (api-contract C39); the last name is for matches alone (ruling R33), and
 * the first one '' where the viewer may not see it.
 */
export async function listBlocks(db: ReadDb, viewer: MemberId, asked: PageAsked = {}): Promise<Page<BlockEntry>> {
  const blocked = othersOf(db, viewer).where('r.blocked_at', 'is not', null).where('r.block_kept', '=', false)
  const rows = await latest(blocked, 'blocked_at', asked)
    .select(['p.member', 'p.status', 'p.started', 'p.visibility_mode', 'p.visibility', 'p.first_name'])
    .select(['r.liked_at', 'r.liked_me_at', 'r.matched_at', 'r.blocked_at', 'r.blocked_me_at'])
    .execute()
  return pageOf(rows, pageSize(asked.limit), (row) => ({
    id: row.other as MemberId,
    firstName: firstNameFor(viewer, row, row) ?? '',
    lastName: '',
  }))
}

/** The skip that one tap undoes (api-contract N7), to be part of a query: of somebody whom the viewer could see again. */
export function lastSkipOf(db: ReadDb, viewer: MemberId, now: Date) {
  return othersOf(db, viewer)
    .select('r.other')
    .where(isToCome(sql.ref('r.skipped_until'), now))
    .where(listed)
    .orderBy('r.skipped_at', 'desc')
    .orderBy('r.other')
    .limit(1)
}

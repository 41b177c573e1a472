import { type Expression, sql } from 'kysely'
import type { MemberId, NotificationId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import type { ReadDb } from '../projection.ts'
import { meetable } from '../view/policy.ts'
import type { NotificationRow } from './table.ts'

/** spec 2 §3, with the buzz's `subtype` (ruling R22). `href` is a path of ours. */
export type Notification = {
  id: NotificationId
  type: NotificationRow['type']
  subtype?: 'match_request' | 'buzz'
  message: string
  read: boolean
  createdAt: string
  href: string
  fromId: MemberId
}
/** Unread ones, each as far as they are counted. */
export type NotificationCounts = { total: number } & Record<NotificationRow['type'], number>

/** The longest list (api-contract C22). */
export const NOTIFICATIONS_MAX = 200

function inboxOf(db: ReadDb, viewer: MemberId | Expression<string>) {
  return db
    .selectFrom('notification as n')
    .innerJoin('profile as p', 'p.member', 'n.from_member')
    .leftJoin('relation as r', (join) =>
      join.onRef('r.member', '=', 'n.recipient').onRef('r.other', '=', 'n.from_member'),
    )
    .where('n.recipient', '=', viewer)
    .where(meetable)
}

/** The newest first, at most 200; `type` is a chip of the screen. */
export async function listNotifications(
  db: ReadDb,
  viewer: MemberId,
  { type }: { type?: NotificationRow['type'] } = {},
): Promise<Notification[]> {
  let query = inboxOf(db, viewer).selectAll('n').select('p.first_name')
  if (type) query = query.where('n.type', '=', type)
  const rows = await query.orderBy('n.position', 'desc').orderBy('n.id').limit(NOTIFICATIONS_MAX).execute()
  return rows.map((row) => present(row, row.first_name))
}

/** The viewer's own, whoever sent it; null for foreign and unknown alike (404). */
export async function findNotification(db: ReadDb, viewer: MemberId, id: NotificationId): Promise<Notification | null> {
  const row = await inboxOf(db, viewer).selectAll('n').select('p.first_name').where('n.id', '=', id).executeTakeFirst()
  return row ? present(row, row.first_name) : null
}

const unreadOf = (db: ReadDb, viewer: MemberId | Expression<string>) =>
  inboxOf(db, viewer).where('n.read_at', 'is', null)

/** One more than is shown: 99+ (spec 2 §2). Every page counts, so nobody counts further. */
const COUNTED_MAX = 100

function counted(db: ReadDb, viewer: MemberId | Expression<string>, type?: NotificationRow['type']) {
  const unread = type ? unreadOf(db, viewer).where('n.type', '=', type) : unreadOf(db, viewer)
  const some = unread.select('n.id').limit(sql.lit(COUNTED_MAX)).as('counted')
  return sql<number>`(${db.selectFrom(some).select(sql<number>`count(*)::int`.as('n'))})`
}

/** Unread buzzes, and unread ones in all, each as far as they are counted, to be part of a query. */
export const unreadTotals = (db: ReadDb, viewer: MemberId | Expression<string>) =>
  db.selectNoFrom([counted(db, viewer, 'buzz').as('buzzes'), counted(db, viewer).as('notifications')])

export function getNotificationCounts(db: ReadDb, viewer: MemberId): Promise<NotificationCounts> {
  const of = (type: NotificationRow['type']) => counted(db, viewer, type).as(type)
  return db.selectNoFrom([counted(db, viewer).as('total'), of('buzz'), of('match')]).executeTakeFirstOrThrow()
}

function present(row: NotificationRow, fromName: string): Notification {
  return {
    id: row.id as NotificationId,
    type: row.type,
    ...(row.subtype && { subtype: row.subtype }),
    message: wordsOf(row, fromName),
    read: row.read_at !== null,
    createdAt: row.created_at.toISOString(),
    href: `/viewprofile/${row.from_member}`,
    fromId: row.from_member as MemberId,
  }
}

/** By these words a screen chooses its button (spec 2 §2). */
export function wordsOf({ type, subtype }: Pick<NotificationRow, 'type' | 'subtype'>, fromName: string): string {
  if (type === 'match') return `You matched with ${fromName}`
  return subtype === 'match_request' ? `${fromName} wants to match with you` : `${fromName} buzzed you`
}

/** The position of the viewer's newest notification: what "mark all read" reaches. null for an empty list. */
export async function findNewestPosition(db: ReadDb, viewer: MemberId): Promise<Position | null> {
  const row = await inboxOf(db, viewer).select('n.position').orderBy('n.position', 'desc').limit(1).executeTakeFirst()
  return (row?.position as Position | undefined) ?? null
}

/** One event names no more of them; a list shows far fewer. */
const UNREAD_MAX = 5_000

export type Unread = { readonly id: NotificationId; readonly position: Position }

/** What is unread in the viewer's centre up to a position, whoever sent it, in parts and from the oldest on. */
export async function* unreadUpTo(db: ReadDb, viewer: MemberId, upTo: Position): AsyncGenerator<Unread[]> {
  let last: Unread | undefined
  do {
    const rows = await listUnread(db, viewer, upTo, last)
    if (rows.length > 0) yield rows
    last = rows[UNREAD_MAX - 1]
  } while (last)
}

async function listUnread(db: ReadDb, viewer: MemberId, upTo: Position, after?: Unread): Promise<Unread[]> {
  let query = db
    .selectFrom('notification')
    .select(['id', 'position'])
    .where('recipient', '=', viewer)
    .where('read_at', 'is', null)
    .where('position', '<=', upTo)
  if (after) query = query.where(sql<boolean>`(position, id) > (${after.position}, ${after.id})`)
  const rows = await query.orderBy('position').orderBy('id').limit(UNREAD_MAX).execute()
  return rows as Unread[]
}

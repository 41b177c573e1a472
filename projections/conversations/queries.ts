import { sql } from 'kysely'
import type { MemberId, MessageId, PairId } from '../../domain/shared/ids.ts'
import { behind, type Page, type PageAsked, pageOf, pageSize } from '../paging.ts'
import type { ReadDb } from '../projection.ts'
import { avatarForMatch } from '../relations/queries.ts'
import { mediaUrl } from '../view/present.ts'
import { DELETED_MEMBER } from '../view/visibility.ts'
import { goesBy, idOfMessage, messageIdOf } from './message-id.ts'
import type { MessageRow } from './message-table.ts'
import { roomsOf } from './rooms.ts'
import { unread } from './unread.ts'

/** A row of the chat's sidebar. `gone`: the other was erased; the messages stay readable, nothing can be sent. */
export type Conversation = {
  id: MemberId
  firstName: string
  lastName: string
  avatar: string | null
  gone: boolean
  roomId: PairId
  unread: number
  matchedAt: string
  last: { id: MessageId; from: MemberId; text: string; hasMedia: boolean; time: string } | null
}

/**
 * A message as api-contract N4 gives it, and its `number`, which counts the messages of the pair. `deleted`: its author was
 * erased, and its words with them.
 */
export type Message = {
  id: MessageId
  number: number
  roomId: PairId
  from: MemberId
  to: MemberId
  text: string
  media?: { id: string; url: string }
  time: string
  deleted?: true
}

/**
 * How far either has read: a message's id, or null. `unread`: how many of the other's the viewer has not read, as far as they
 * are counted.
 */
export type Room = {
  roomId: PairId
  gone: boolean
  unread: number
  readUpTo: MessageId | null
  otherReadUpTo: MessageId | null
}

/** Words of a list show this much (spec 1 §9). */
export const PREVIEW_CHARACTERS = 80
export const shorten = (text: string): string => [...text].slice(0, PREVIEW_CHARACTERS).join('')

/** A page of the viewer's rooms, the latest message first; `search` is in the name (spec 1 §2). */
export async function listConversations(
  db: ReadDb,
  viewer: MemberId,
  { search = '', after, limit }: PageAsked & { search?: string } = {},
): Promise<Page<Conversation>> {
  const at = sql<Date>`coalesce(m.sent_at, c.opened_at)`
  const name = sql<string>`case when c.gone then ${DELETED_MEMBER}::text else p.first_name || ' ' || p.last_name end`
  const rooms = roomsOf(db, viewer)
    .leftJoin('message as m', (join) =>
      join
        .onRef('m.room', '=', 'c.room')
        .onRef('m.number', '=', 'c.last_number')
        .onRef('m.number', '>', 'c.hidden_up_to'),
    )
    .select(['c.other', 'c.room', 'c.gone', 'c.opened_at', at.as('at'), unread.as('unread')])
    .select(['p.first_name', 'p.last_name', 'p.avatar', 'p.field_visibility'])
    .select(['m.id', 'm.number', 'm.from_member', 'm.text', 'm.media', 'm.sent_at'])
    .where(sql<boolean>`position(lower(${search.trim()}) in lower(${name})) > 0`)
    .orderBy(at, 'desc')
    .orderBy('c.other')
  const rows = await (after ? rooms.where(behind(at, sql.ref('c.other'), after)) : rooms)
    .limit(pageSize(limit) + 1)
    .execute()
  return pageOf(rows, pageSize(limit), (row) => ({
    id: row.other as MemberId,
    firstName: row.gone ? DELETED_MEMBER : (row.first_name ?? ''),
    lastName: row.gone ? '' : (row.last_name ?? ''),
    avatar: row.gone ? null : avatarForMatch(row.avatar, row.field_visibility),
    gone: row.gone,
    roomId: row.room as PairId,
    unread: row.unread,
    matchedAt: row.opened_at.toISOString(),
    last: lastOf(withoutGone(row, row.other)),
  }))
}

type Last = { [column in 'id' | 'number' | 'from_member' | 'text' | 'media' | 'sent_at']: MessageRow[column] | null }

function lastOf({ id, number, from_member, text, media, sent_at }: Last): Conversation['last'] {
  if (number === null || from_member === null || sent_at === null) return null
  return {
    id: messageIdOf({ id, number }),
    from: from_member as MemberId,
    text: shorten(text ?? ''),
    hasMedia: media !== null,
    time: sent_at.toISOString(),
  }
}

/** null when the viewer may not read the room (404). */
export async function findRoom(db: ReadDb, viewer: MemberId, other: MemberId): Promise<Room | null> {
  const idOf = (column: 'c.read_up_to' | 'c.other_read_up_to') =>
    sql<MessageId | null>`(select ${idOfMessage} from read.message m where m.room = c.room and m.number = ${sql.ref(column)})`
  const row = await roomsOf(db, viewer)
    .select(['c.room', 'c.gone', unread.as('unread')])
    .select([idOf('c.read_up_to').as('mine'), idOf('c.other_read_up_to').as('theirs')])
    .where('c.other', '=', other)
    .executeTakeFirst()
  if (!row) return null
  return {
    roomId: row.room as PairId,
    gone: row.gone,
    unread: row.unread,
    readUpTo: row.mine,
    otherReadUpTo: row.theirs,
  }
}

function messagesOf(db: ReadDb, viewer: MemberId, other: MemberId) {
  return roomsOf(db, viewer)
    .innerJoin('message as m', (join) => join.onRef('m.room', '=', 'c.room').onRef('m.number', '>', 'c.hidden_up_to'))
    .where('c.other', '=', other)
}

/**
 * The newest messages before the one with id `before`, newest first; the answer's `before` is the next page's, null at
 * the end (api-contract N4). null when the viewer may not read the room; an unknown `before` gives an empty page.
 */
export async function listMessages(
  db: ReadDb,
  viewer: MemberId,
  other: MemberId,
  { before, limit }: { before?: MessageId; limit?: number } = {},
): Promise<{ messages: Message[]; before: MessageId | null } | null> {
  const size = pageSize(limit)
  let query = messagesOf(db, viewer, other).selectAll('m').select('c.gone')
  if (before !== undefined)
    query = query.where(sql<boolean>`m.number < (select m.number from read.message m where m.room = c.room
      and ${goesBy(before)} order by m.number limit 1)`)
  const rows = await query
    .orderBy('m.number', 'desc')
    .limit(size + 1)
    .execute()
  if (rows.length === 0 && !(await findRoom(db, viewer, other))) return null
  const messages = rows.slice(0, size).map((row) => presentMessage(row, viewer, other))
  return { messages, before: rows.length > size ? (messages.at(-1)?.id ?? null) : null }
}

/** One message of a room that the viewer reads, with its number for MarkRead. */
export async function findMessage(
  db: ReadDb,
  viewer: MemberId,
  other: MemberId,
  id: MessageId,
): Promise<{ message: Message; number: number } | null> {
  const named = messagesOf(db, viewer, other).selectAll('m').select('c.gone').where(goesBy(id))
  const row = await named.orderBy('m.number').limit(1).executeTakeFirst()
  return row ? { message: presentMessage(row, viewer, other), number: row.number } : null
}

type Written = Pick<Last, 'from_member' | 'text' | 'media'> & { gone: boolean }

/** Words of an erased other are gone with the room's name for them, although very many leave the rows a while later. */
const withoutGone = <T extends Written>(row: T, other: string): T =>
  row.gone && row.from_member === other ? { ...row, text: null, media: null } : row

function presentMessage(stored: MessageRow & { gone: boolean }, viewer: MemberId, other: MemberId): Message {
  const row = withoutGone(stored, other)
  const from = row.from_member as MemberId
  return {
    id: messageIdOf(row),
    number: row.number,
    roomId: row.room as PairId,
    from,
    to: from === viewer ? other : viewer,
    text: row.text ?? '',
    ...(row.media && { media: { id: row.media, url: mediaUrl(row.media) } }),
    time: row.sent_at.toISOString(),
    ...(row.text === null && { deleted: true as const }),
  }
}

import type { EventType } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { ReadDb } from '../projection.ts'
import { among } from '../view/policy.ts'
import type { HistoryRow } from './table.ts'

/** What of a history is asked for. Without `kinds` and `stream`, all but the looks of auditors. */
export type HistoryFilter = {
  readonly kinds?: readonly string[]
  readonly stream?: string
  readonly from?: Date
  /** Exclusive. */
  readonly until?: Date
}
/** Newest first when `before` or nothing is given, oldest first after `after`. */
export type HistoryPage = HistoryFilter & {
  readonly before?: Position
  readonly after?: Position
  readonly limit: number
}

const NOT_SHOWN_UNASKED = 'audit'

function filtered(db: ReadDb, members: readonly string[], { kinds, stream, from, until }: HistoryFilter) {
  const [member] = members
  const all = db.selectFrom('history')
  // Of one alone the key has the rows in order.
  let query = members.length === 1 ? all.where('member', '=', member!) : all.where(among('member', members))
  if (kinds && kinds.length > 0) query = query.where(among('kind', kinds))
  else if (!stream) query = query.where('kind', '<>', NOT_SHOWN_UNASKED)
  if (stream) query = query.where('stream', '=', stream)
  if (from) query = query.where('at', '>=', from)
  if (until) query = query.where('at', '<', until)
  return query
}

/** A page of a member's history, newest first; `more`: another follows in the direction asked. */
export async function listHistory(
  db: ReadDb,
  member: string,
  page: HistoryPage,
): Promise<{ rows: HistoryRow[]; more: boolean }> {
  let query = filtered(db, [member], page).selectAll()
  if (page.before) query = query.where('position', '<', page.before)
  if (page.after) query = query.where('position', '>', page.after)
  const rows = await query
    .orderBy('position', page.after ? 'asc' : 'desc')
    .limit(page.limit + 1)
    .execute()
  const more = rows.length > page.limit
  const shown = rows.slice(0, page.limit)
  return { rows: page.after ? shown.reverse() : shown, more }
}

/** A part of a history: so many rows after a position, oldest first, none behind `upTo`. */
export type Part = { readonly after: Position; readonly upTo: Position; readonly limit: number }

export function listPart(db: ReadDb, member: string, filter: HistoryFilter, part: Part): Promise<HistoryRow[]> {
  return partOf(filtered(db, [member], filter), part)
}

function partOf(rows: ReturnType<typeof filtered>, { after, upTo, limit }: Part): Promise<HistoryRow[]> {
  return rows
    .selectAll()
    .where('position', '>', after)
    .where('position', '<=', upTo)
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** How many events these members' histories have, each once, and the position of the last. */
export async function countEvents(
  db: ReadDb,
  members: readonly string[],
  filter: HistoryFilter,
): Promise<{ events: number; last: Position }> {
  const found = await filtered(db, members, filter)
    .select((eb) => [
      (members.length === 1 ? eb.fn.countAll<string>() : eb.fn.count<string>('position').distinct()).as('events'),
      eb.fn.max('position').as('last'),
    ])
    .executeTakeFirstOrThrow()
  return { events: Number(found.events), last: (found.last ?? START) as Position }
}

type TypedPart = Part & { readonly types: readonly EventType[] }

/** A member's events of these types, on whatever stream. */
export function listEventsOf(db: ReadDb, member: string, { types, ...part }: TypedPart): Promise<HistoryRow[]> {
  return partOf(db.selectFrom('history').where('member', '=', member).where(among('type', types)), part)
}

/** What became of these members' accounts, as far as it is of these types. */
export async function listAccountEvents(
  db: ReadDb,
  members: readonly string[],
  { types, ...part }: TypedPart,
): Promise<HistoryRow[]> {
  if (members.length === 0) return []
  const accounts = db.selectFrom('history').where(among('member', members)).where('kind', '=', 'member')
  return partOf(accounts.where(among('type', types)), part)
}

export type KindCount = { readonly kind: string; readonly events: number }

export async function countHistory(db: ReadDb, member: string): Promise<KindCount[]> {
  const rows = await db
    .selectFrom('history')
    .select((eb) => ['kind', eb.fn.countAll<string>().as('events')])
    .where('member', '=', member)
    .groupBy('kind')
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, events }) => ({ kind, events: Number(events) }))
}

export type StreamOf = { readonly stream: string; readonly events: number; readonly revision: number }

/** The streams of a member's events, except for the looks of auditors. */
export async function listStreams(db: ReadDb, member: string): Promise<StreamOf[]> {
  const rows = await db
    .selectFrom('history')
    .select((eb) => ['stream', eb.fn.countAll<string>().as('events'), eb.fn.max('revision').as('revision')])
    .where('member', '=', member)
    .where('kind', '<>', NOT_SHOWN_UNASKED)
    .groupBy('stream')
    .orderBy('stream')
    .execute()
  return rows.map(({ stream, events, revision }) => ({ stream, events: Number(events), revision: Number(revision) }))
}

/** The names of the streams that have an event of these types for the member. */
export async function listStreamNames(
  db: ReadDb,
  member: string,
  { types, upTo }: Pick<TypedPart, 'types' | 'upTo'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('history')
    .select('stream')
    .distinct()
    .where('member', '=', member)
    .where(among('type', types))
    .where('position', '<=', upTo)
    .execute()
  return rows.map(({ stream }) => stream)
}

/** Whose history a stream is part of. */
export async function findMembersOf(db: ReadDb, stream: string): Promise<MemberId[]> {
  const rows = await db.selectFrom('history').select('member').distinct().where('stream', '=', stream).execute()
  return rows.map(({ member }) => member as MemberId).sort()
}

/** Everybody who was ever given a role, whatever became of it. */
export async function listMembersEverGranted(db: ReadDb): Promise<MemberId[]> {
  const rows = await db.selectFrom('history').select('member').distinct().where('type', '=', 'RoleGranted').execute()
  return rows.map(({ member }) => member as MemberId).sort()
}

/** When the members among these were erased. */
export async function erasureDates(db: ReadDb, members: readonly string[]): Promise<Map<string, Date>> {
  if (members.length === 0) return new Map()
  const rows = await db
    .selectFrom('history')
    .select(['member', 'at'])
    .where(among('member', members))
    .where('type', '=', 'AccountErased')
    .execute()
  return new Map(rows.map(({ member, at }) => [member, at]))
}

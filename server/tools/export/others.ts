import { sql } from 'kysely'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import type { Recorded } from '../../../domain/shared/recorded.ts'
import { listed, meetable } from '../../../projections/view/policy.ts'
import { DELETED_MEMBER } from '../../../projections/view/visibility.ts'
import { fieldsIn, HISTORY } from './data-map.ts'
import type { Asking, Section } from './section.ts'
import { eventsOf, fieldsFor, isOwn } from './streams.ts'

const PAGE = 500
const SENT = 'messages/'

/** Another member as the export names them: by first name where the member may meet them, else by the id alone. */
type Other = { readonly id: string; readonly firstName: string | null }

/** What went on between the member and others, from the member's side alone. */
export function othersSections(asking: Asking): Section[] {
  const list = (path: string, title: string, about: string, column: RelationColumn) => ({
    path,
    title,
    about,
    items: () => relations(asking, column),
  })
  return [
    list('likes.json', 'Buzzes given', 'Whom you buzzed, as it stands.', 'liked_at'),
    list('matches.json', 'Matches', 'Your matches, as they stand.', 'matched_at'),
    list('skips.json', 'Skips', 'Whom you skipped in Discover.', 'skipped_at'),
    list('blocks.json', 'Blocked people', 'Whom you blocked.', 'blocked_at'),
    {
      path: 'notifications.json',
      title: 'Notifications',
      about: 'Your notifications, and when you read them.',
      items: () => notifications(asking),
    },
    {
      path: 'reports.json',
      title: 'Reports',
      about: 'What you reported, and what came of it.',
      items: () => reports(asking),
    },
  ]
}

type RelationColumn = 'liked_at' | 'matched_at' | 'skipped_at' | 'blocked_at'

/**
 * Whom the member buzzed or matched as their own lists have them: those they may not meet are absent alike, whatever the reason
 * (ruling R5). Whom they skipped or blocked is their own doing.
 */
async function* relations({ read, member }: Asking, column: RelationColumn): AsyncGenerator<unknown> {
  for (let after = ''; ; ) {
    const rows = await read
      .selectFrom('relation as r')
      .leftJoin('profile as p', 'p.member', 'r.other')
      .select(['r.other', 'r.skipped_until', `r.${column} as at`, nameOf.as('name')])
      .where('r.member', '=', member)
      .where(`r.${column}`, 'is not', null)
      .where('r.other', '>', after)
      .$if(column === 'liked_at' || column === 'matched_at', (asked) => asked.where(listed))
      .$if(column === 'blocked_at', (asked) => asked.where('r.block_kept', '=', false))
      .orderBy('r.other')
      .limit(PAGE)
      .execute()
    for (const { other, name, at, skipped_until } of rows) {
      const whom: Other = { id: other, firstName: name }
      yield { ...whom, at, ...(column === 'skipped_at' && { until: skipped_until }) }
    }
    if (rows.length < PAGE) return
    after = rows[rows.length - 1]!.other
  }
}

/** Of whom the member may not meet: blocked, hidden and deactivated look alike (ruling R5). */
const nameOf = sql<string | null>`case when ${listed} then p.first_name end`

/** What is in the member's list: it has nothing of a sender who blocked them, and so nothing of one who deactivated. */
async function* notifications({ read, member }: Asking): AsyncGenerator<unknown> {
  for (let before = '~'; ; ) {
    const rows = await read
      .selectFrom('notification as n')
      .innerJoin('profile as p', 'p.member', 'n.from_member')
      .leftJoin('relation as r', (join) =>
        join.onRef('r.member', '=', 'n.recipient').onRef('r.other', '=', 'n.from_member'),
      )
      .select(['n.id', 'n.type', 'n.subtype', 'n.created_at', 'n.read_at', 'n.position', 'n.from_member'])
      .select('p.first_name as name')
      .where('n.recipient', '=', member)
      .where(meetable)
      .where('n.position', '<', before)
      .orderBy('n.position', 'desc')
      .orderBy('n.id')
      .limit(PAGE)
      .execute()
    for (const { id, type, subtype, created_at, read_at, from_member, name } of rows) {
      const from: Other = { id: from_member, firstName: name }
      yield { id, type, subtype, from, at: created_at, readAt: read_at }
    }
    if (rows.length < PAGE) return
    before = rows[rows.length - 1]!.position
  }
}

async function* reports(asking: Asking): AsyncGenerator<unknown> {
  const { read, member } = asking
  const targets = await read.selectFrom('report').select('target').distinct().where('reporter', '=', member).execute()
  for (const { target } of targets) {
    for await (const event of eventsOf(asking, `report-${member}_${target}`)) {
      if (isOwn(asking, event)) yield { happened: event.type, ...fieldsFor('reports.json', event) }
    }
  }
}

/** Everybody with whom the member has, or had, to do. */
async function* everyOther({ read, member }: Asking): AsyncGenerator<MemberId> {
  const known = read
    .selectFrom('relation')
    .select('other')
    .where('member', '=', member)
    .union(read.selectFrom('conversation').select('other').where('member', '=', member))
  for (let after = ''; ; ) {
    const rows = await read
      .selectFrom(known.as('k'))
      .select('other')
      .where('other', '>', after)
      .orderBy('other')
      .limit(PAGE)
      .execute()
    for (const { other } of rows) yield other as MemberId
    if (rows.length < PAGE) return
    after = rows[rows.length - 1]!.other
  }
}

/** Every event of the member's own, with every value that a field ever had; messages apart. */
export function historySection(asking: Asking): Section {
  async function* items(): AsyncGenerator<unknown> {
    for (const category of ['member', 'profile', 'gallery', 'inbox', 'audit'])
      yield* ownEvents(asking, `${category}-${asking.member}`)
    for await (const other of everyOther(asking)) yield* ownEvents(asking, `pair-${pairIdOf(asking.member, other)}`)
  }
  const about = 'All that you ever did here and every value that you ever set, from the first day on.'
  return { path: HISTORY, title: 'History', about, items }
}

async function* ownEvents(asking: Asking, stream: string): AsyncGenerator<unknown> {
  for await (const event of eventsOf(asking, stream, (type) => fieldsIn(HISTORY, type).length > 0))
    if (isOwn(asking, event) && !isKept(event)) yield { happened: event.type, ...fieldsFor(HISTORY, event) }
}

/** A block of somebody's account before this one: it would name who came back (security T16). */
const isKept = (event: Recorded<DomainEvent>) => event.type === 'Blocked' && event.meta.actor !== event.by

/** A file for each conversation, also of those that are closed: what was sent and what was received. */
export async function conversationSections(asking: Asking): Promise<Section[]> {
  const { read, member } = asking
  const rows = await read
    .selectFrom('conversation as c')
    .leftJoin('relation as r', (join) => join.onRef('r.member', '=', 'c.member').onRef('r.other', '=', 'c.other'))
    .leftJoin('profile as p', 'p.member', 'c.other')
    .select(['c.other', 'c.gone', nameOf.as('name')])
    .where('c.member', '=', member)
    .where('c.last_number', '>', 0)
    .orderBy('c.other')
    .execute()
  return rows.map(({ other, gone, name }) => ({
    path: `${SENT}${other}.json`,
    title: `Messages with ${gone ? DELETED_MEMBER : (name ?? 'a former match')}`,
    about: 'What you sent and received.',
    items: () => messages(asking, other as MemberId),
  }))
}

async function* messages(asking: Asking, other: MemberId): AsyncGenerator<unknown> {
  const stream = `pair-${pairIdOf(asking.member, other)}`
  for await (const event of eventsOf(asking, stream, (type) => type === 'MessageSent')) {
    const mine = event.type === 'MessageSent' && event.from === asking.member
    yield { ...fieldsFor(SENT, event), direction: mine ? 'sent' : 'received' }
  }
}

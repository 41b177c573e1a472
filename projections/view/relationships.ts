import { sql } from 'kysely'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { Log } from '../../eventstore/log.ts'
import { readWithPosition } from '../engine/read-with-position.ts'
import type { ReadDb } from '../projection.ts'

type Pairs = readonly (readonly [MemberId, MemberId])[]
/** What the read models know of members' rights: each model at its own position, all in one snapshot (ARCHITECTURE.md). */
export type StoredRights = {
  readonly relationsAt: Position
  readonly accountsAt: Position
  /** The matches of each of the members. */
  readonly matched: Pairs
  /** Directed, the first blocked the second: each that one of the members is in. */
  readonly blocked: Pairs
  /** Of the members, their matches and the other accounts asked about: those not active, or erased. */
  readonly out: readonly MemberId[]
}
type Asked = { readonly members: readonly MemberId[]; readonly accounts: readonly MemberId[] }

/** Each model at its own position: one that is ahead of another must not pass for as old as that one. */
export async function readRights(
  db: ReadDb,
  log: Pick<Log, 'id'>,
  { members, accounts }: Asked,
): Promise<StoredRights> {
  const { data } = await readWithPosition(db, log, ['relations', 'accounts'], async (read, shownUpTo) => {
    const [relationsAt, accountsAt] = [shownUpTo('relations'), shownUpTo('accounts')]
    const related = members.length === 0 || !relationsAt ? [] : await listRelated(read, members)
    const matches = related.filter(({ matched }) => matched)
    const asked = new Set([...members, ...accounts])
    const active = asked.size === 0 || !accountsAt ? new Set<string>() : await listActive(read, [...asked])
    const out = matches.filter((match) => match.out || !accountsAt).map(({ other }) => other)
    const at = { relationsAt: relationsAt ?? START, accountsAt: accountsAt ?? START }
    return { at, related, out: [...out, ...without(asked, active)] }
  })
  const { at, related, out } = data
  const pairs = (rows: typeof related, from: 'member' | 'other' = 'member') =>
    rows.map((row) => (from === 'member' ? [row.member, row.other] : [row.other, row.member]) as [MemberId, MemberId])
  return {
    ...at,
    matched: pairs(related.filter(({ matched }) => matched)),
    blocked: [
      ...pairs(related.filter(({ blocked }) => blocked)),
      ...pairs(
        related.filter(({ blockedBy }) => blockedBy),
        'other',
      ),
    ],
    out: out as MemberId[],
  }
}

/** Rooms of one page, so that a member of many does not hold up a process. */
const ROOMS_AT_ONCE = 5_000

/**
 * Rooms with these others that are open, or were until the other was erased: rows that an erasure still has to come to count
 * as well. In pages, each at a position of its own.
 */
export async function* readRooms(
  db: ReadDb,
  log: Pick<Log, 'id'>,
  others: readonly MemberId[],
  atOnce = ROOMS_AT_ONCE,
) {
  let last: Room | undefined = { member: '', other: '' }
  while (last) {
    const after: Page = { ...last, atOnce }
    const { data, pos } = await readWithPosition(db, log, ['conversations'], async (read, shownUpTo) =>
      shownUpTo('conversations') ? listRoomsAfter(read, others, after) : [],
    )
    yield { at: pos, rooms: data as { member: MemberId; other: MemberId }[] }
    last = data.length < atOnce ? undefined : data.at(-1)
  }
}

type Room = { readonly member: string; readonly other: string }
type Page = Room & { readonly atOnce: number }
const listRoomsAfter = (read: ReadDb, others: readonly MemberId[], { member, other, atOnce }: Page): Promise<Room[]> =>
  read
    .selectFrom('conversation')
    .select(['member', 'other'])
    .where(sql<boolean>`other = any(${others})`)
    .where(sql<boolean>`(other, member) > (${other}, ${member})`)
    .where((eb) => eb.or([eb('gone', '=', true), eb('open', '=', true)]))
    .orderBy('other')
    .orderBy('member')
    .limit(atOnce)
    .execute()

const listRelated = (read: ReadDb, members: readonly MemberId[]) =>
  read
    .selectFrom('relation as r')
    .leftJoin('account as a', 'a.member', 'r.other')
    .select((eb) => [
      'r.member',
      'r.other',
      eb('r.matched_at', 'is not', null).as('matched'),
      eb('r.blocked_at', 'is not', null).as('blocked'),
      eb('r.blocked_me_at', 'is not', null).as('blockedBy'),
      sql<boolean>`a.status is distinct from 'active'`.as('out'),
    ])
    .where(sql<boolean>`r.member = any(${members})`)
    .where((eb) =>
      eb.or([
        eb('r.matched_at', 'is not', null),
        eb('r.blocked_at', 'is not', null),
        eb('r.blocked_me_at', 'is not', null),
      ]),
    )
    .execute()

async function listActive(read: ReadDb, members: readonly MemberId[]): Promise<ReadonlySet<string>> {
  const rows = await read
    .selectFrom('account')
    .select('member')
    .where(sql<boolean>`member = any(${members})`)
    .where('status', '=', 'active')
    .execute()
  return new Set(rows.map(({ member }) => member))
}

const without = (asked: ReadonlySet<string>, active: ReadonlySet<string>) =>
  [...asked].filter((one) => !active.has(one))

import type { Compilable } from 'kysely'
import type { MediaId } from '../domain/shared/ids.ts'
import { unreadTotal } from '../projections/conversations/unread.ts'
import { unreadTotals } from '../projections/notifications/queries.ts'
import type { ReadDb } from '../projections/projection.ts'
import type { Sessions, SessionTable } from '../services/sessions/sessions.ts'
import { NO_ENTITLEMENTS } from '../usecases/acting.ts'
import type { ReadActing, Viewer } from '../usecases/ports.ts'

/** Both schemas at once: with `http/raw/found-media.ts` all that joins a session with the read models (decision 0011). */
const both = (read: ReadDb) => read.withTables<{ 'app.session': SessionTable }>()

/** What every request asks first, in one query. */
export function createReadActing({ read, sessions }: { read: ReadDb; sessions: Sessions }): ReadActing {
  const bare = builtOnce(read, (key) => sessionOf(read, key))
  const framed = builtOnce(read, (key) => withFrameOf(read, key))
  return async (token, { withFrame }) => {
    const key = sessions.keyOf(token)
    if (!key) return null
    const row = await (withFrame ? framed(key) : bare(key))
    const session = row && (await sessions.admit(row))
    if (!row || !session) return null
    const who: Viewer = {
      member: session.member,
      session: session.id,
      status: row.status as Viewer['status'],
      authAt: session.authAt,
      entitlements: NO_ENTITLEMENTS,
    }
    return { who, frame: frameOf(row) }
  }
}

const sessionOf = (read: ReadDb, key: Buffer) =>
  both(read)
    .selectFrom('app.session as s')
    .innerJoin('account as a', 'a.member', 's.member')
    .where('s.token_hash', '=', key)
    .select(['s.id', 's.member', 's.label', 's.remember', 's.created_at', 's.last_seen_at', 's.auth_at', 'a.status'])

type Framed = { first_name: string | null; avatar: string | null; chat: number; buzzes: number; notifications: number }

/** A query that every request asks, built at the first: what differs is the key. Answers its one row. */
function builtOnce<Row>(read: ReadDb, build: (key: Buffer) => Compilable<Row>) {
  const place = Buffer.from('The key.')
  const query = build(place).compile()
  const at = query.parameters.indexOf(place)
  return async (key: Buffer): Promise<Row | undefined> =>
    (await read.executeQuery<Row>({ ...query, parameters: query.parameters.with(at, key) })).rows[0]
}

const withFrameOf = (read: ReadDb, key: Buffer) =>
  sessionOf(read, key)
    .leftJoin('profile as own', 'own.member', 's.member')
    .innerJoinLateral(
      ({ ref }) => unreadTotal(read, ref('s.member')).as('conversations'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      ({ ref }) => unreadTotals(read, ref('s.member')).as('inbox'),
      (join) => join.onTrue(),
    )
    .select(['own.first_name', 'own.avatar', 'conversations.chat', 'inbox.buzzes', 'inbox.notifications'])

function frameOf(row: object | Framed) {
  if (!('first_name' in row) || row.first_name === null) return null
  const { first_name, avatar, chat, buzzes, notifications } = row
  return { firstName: first_name, avatar: (avatar || null) as MediaId | null, badges: { chat, buzzes, notifications } }
}

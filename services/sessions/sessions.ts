import { type Selectable, sql } from 'kysely'
import { days, hours, minutes } from '../../domain/shared/dates.ts'
import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import { type AppDb, inTransaction } from '../app-db.ts'
import type { AppSchema } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { randomId } from '../random-id.ts'
import { isOn } from '../second-factor/second-factor.ts'
import { hashToken, newToken } from '../secrets.ts'

/** security §3.2 */
export const REMEMBERED = { idleMs: days(14), absoluteMs: days(30) } as const
export const ORDINARY = { idleMs: hours(12), absoluteMs: hours(24) } as const
/** A session's last use is written at most this often. */
const TOUCH_MS = minutes(1)
const LABEL_MAX = 120
/** A program that signs in for each of its calls fills no table. */
export const SESSIONS_OF_MEMBER = 100

export type Session = {
  id: SessionId
  member: MemberId
  /** Such as "Firefox on Linux", for the member's list of sessions. */
  label: string
  remember: boolean
  createdAt: Date
  lastSeenAt: Date
  /** When the member last proved who they are (security T37). */
  authAt: Date
  /** It ends then at the latest. */
  expiresAt: Date
}

export type Sessions = {
  /** The token is shown once; only its hash is stored. */
  create(session: SessionOf): Promise<NewSession>
  /**
   * The same for who signs in. Null where the password is another one since, so that no log-in under way outlives a reset
   * (security §3.3), and where a second factor is on that was not given.
   */
  createProven(session: SessionOf & Proof): Promise<NewSession | null>
  /** Null for a token that is unknown, revoked, idle for too long or past its end. */
  find(token: string): Promise<Session | null>
  /** What a token is stored as; null for what cannot be one. */
  keyOf(token: string): Buffer | null
  /** The session of a row, whose use is noted; null when it is past its end. */
  admit(row: SessionRow): Promise<Session | null>
  /** The member proved who they are again, by password. */
  reauthenticate(id: SessionId): Promise<void>
  /** True when it was there, and the member's. */
  revoke(member: MemberId, id: SessionId): Promise<boolean>
  /** Answers the ids that ended; the caller records them as `SessionsRevoked`. */
  revokeAll(member: MemberId, except?: SessionId): Promise<SessionId[]>
  /** All but one's own. Of two that end each other's only the first does: null where one's own has ended, and nothing is. */
  revokeOthers(member: MemberId, own: SessionId): Promise<SessionId[] | null>
  /** Ends those beyond the member's hundred that were used last, and answers their ids. */
  revokeBeyond(member: MemberId): Promise<SessionId[]>
  /** Those of these that are alive; to ask is no use of them. */
  there(ids: readonly SessionId[]): Promise<SessionId[]>
  /** Those that are alive, last used first. */
  list(member: MemberId): Promise<Session[]>
  /** Removes rows that no token can open any more. */
  sweep(): Promise<number>
}
type SessionOf = { member: MemberId; remember: boolean; label: string; authAt?: Date }
/** `passwordHash`: the member's when they proved who they are, also by other means; null for an account without a password. */
type Proof = { passwordHash: string | null; withFactor: boolean }
/** As it is stored. */
export type SessionTable = AppSchema['session']
export type SessionRow = Omit<Selectable<SessionTable>, 'token_hash'>
export type NewSession = { token: string; session: Session }

const TOKEN = /^[A-Za-z0-9_-]{43}$/

const keyOf = (token: string) => (TOKEN.test(token) ? hashToken(token) : null)

type Deps = { db: AppDb; now: Clock }

export function createSessions(deps: Deps): Sessions {
  const { db, now } = deps

  async function touch(session: Session): Promise<Session> {
    const at = now()
    if (at.getTime() - session.lastSeenAt.getTime() < TOUCH_MS) return session
    await db.updateTable('session').set({ last_seen_at: at }).where('id', '=', session.id).execute()
    return { ...session, lastSeenAt: at }
  }

  const admit = async (row: SessionRow) => (isAlive(toSession(row), now()) ? touch(toSession(row)) : null)

  return {
    create: (session) => insertSession(db, session, now()),
    createProven: ({ passwordHash, withFactor, ...session }) =>
      inTransaction(db, async (tx) => {
        const credential = tx.selectFrom('credential').select('member').where('member', '=', session.member)
        // A reset, and turning a second factor on, wait for this row, and then end the session too; so does the next sign-in,
        // which counts those that are open.
        const proven = credential.where('password_hash', 'is not distinct from', passwordHash).forNoKeyUpdate()
        if (!(await proven.executeTakeFirst())) return null
        if (!withFactor && (await isOn(tx, session.member))) return null
        return insertSession(tx, session, now())
      }),
    keyOf,
    admit,
    async find(token) {
      const key = keyOf(token)
      const row = key && (await db.selectFrom('session').selectAll().where('token_hash', '=', key).executeTakeFirst())
      return row ? admit(row) : null
    },
    async reauthenticate(id) {
      await db.updateTable('session').set({ auth_at: now() }).where('id', '=', id).execute()
    },
    async there(ids) {
      const among = db.selectFrom('session').selectAll().where(sql<boolean>`id = any(${ids}::text[])`)
      const at = now()
      const alive = (await among.execute()).map(toSession).filter((session) => isAlive(session, at))
      return alive.map(({ id }) => id)
    },
    async list(member) {
      const rows = await db
        .selectFrom('session')
        .selectAll()
        .where('member', '=', member)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .execute()
      const at = now()
      return rows.map(toSession).filter((session) => isAlive(session, at))
    },
    ...ending(deps),
  }
}

async function insertSession(db: AppDb, { member, remember, label, authAt }: SessionOf, at: Date): Promise<NewSession> {
  const token = newToken()
  const row = await db
    .insertInto('session')
    .values({
      id: randomId(),
      token_hash: hashToken(token),
      member,
      remember,
      label: label.slice(0, LABEL_MAX),
      created_at: at,
      last_seen_at: at,
      auth_at: authAt ?? at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { token, session: toSession(row) }
}

function ending({ db, now }: Deps): Pick<Sessions, 'revoke' | 'revokeAll' | 'revokeOthers' | 'revokeBeyond' | 'sweep'> {
  async function revokeAll(member: MemberId, except?: SessionId): Promise<SessionId[]> {
    let query = db.deleteFrom('session').where('member', '=', member)
    if (except) query = query.where('id', '<>', except)
    const rows = await query.returning('id').execute()
    return rows.map((row) => row.id as SessionId)
  }
  return {
    async revoke(member, id) {
      const { numDeletedRows } = await db
        .deleteFrom('session')
        .where('member', '=', member)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    revokeAll,
    async revokeOthers(member, own) {
      // In an order that all have, so that none waits for the other.
      const all = db.selectFrom('session').select('id').where('member', '=', member).orderBy('id')
      const alive = await all.forUpdate().execute()
      return alive.some(({ id }) => id === own) ? revokeAll(member, own) : null
    },
    async revokeBeyond(member) {
      const older = db
        .selectFrom('session')
        .select('id')
        .where('member', '=', member)
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .offset(SESSIONS_OF_MEMBER)
      const rows = await db.deleteFrom('session').where('id', 'in', older).returning('id').execute()
      return rows.map((row) => row.id as SessionId)
    },
    async sweep() {
      const at = now().getTime()
      const { numDeletedRows } = await db
        .deleteFrom('session')
        .where((where) =>
          where.or([
            where('last_seen_at', '<', new Date(at - REMEMBERED.idleMs)),
            where('created_at', '<', new Date(at - REMEMBERED.absoluteMs)),
            where.and([where('remember', '=', false), where('created_at', '<', new Date(at - ORDINARY.absoluteMs))]),
          ]),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function isAlive(session: Session, at: Date): boolean {
  const { idleMs } = session.remember ? REMEMBERED : ORDINARY
  return at < session.expiresAt && at.getTime() - session.lastSeenAt.getTime() < idleMs
}

function toSession(row: SessionRow): Session {
  const { absoluteMs } = row.remember ? REMEMBERED : ORDINARY
  return {
    id: row.id as SessionId,
    member: row.member as MemberId,
    label: row.label,
    remember: row.remember,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    authAt: row.auth_at,
    expiresAt: new Date(row.created_at.getTime() + absoluteMs),
  }
}

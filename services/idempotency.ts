import { createHash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import { hours } from '../domain/shared/dates.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import type { AppDb } from './app-db.ts'
import type { Clock } from './clock.ts'
import { createBox, sameBytes } from './secrets.ts'

/** api-contract §6.0 */
export const IDEMPOTENCY_MS = hours(24)
/** A call that has not answered by then was interrupted: the next one with its key runs it again. */
const ABANDONED_MS = 60_000

/** `route` names the call; `request` is everything that was sent with it. */
export type KeyedRequest = { member: MemberId; route: string; key: string; request: string }
/** `position`: where in the log the write is, if it wrote. */
export type KeptAnswer = { status: number; body: string; position?: string | undefined }
/**
 * `first`: run it, then `keep`, `release` or `leave` it; `since` is when the key was first used in its day. `running`:
 * another one is at it. `other`: the key belongs to another request.
 */
export type Claim =
  | { state: 'first'; since: Date }
  | { state: 'running' }
  | { state: 'other' }
  | { state: 'answered'; answer: KeptAnswer }

/** Answers to writes that carry a key of their sender, so that a repeat gets the first answer. */
export type Idempotency = {
  claim(request: KeyedRequest): Promise<Claim>
  keep(request: KeyedRequest, answer: KeptAnswer): Promise<void>
  /** The call came to nothing that should be repeated. */
  release(request: KeyedRequest): Promise<void>
  /** Nobody knows whether the call wrote: its repeat is the same command, at once. */
  leave(request: KeyedRequest): Promise<void>
  forget(member: MemberId): Promise<void>
  sweep(): Promise<number>
}

export function createIdempotency(deps: { db: AppDb; now: Clock; masterKey: Buffer }): Idempotency {
  const { db, now } = deps
  const box = createBox(deps.masterKey, 'idempotency')

  return {
    async claim(request) {
      const id = idOf(request)
      const at = now()
      const request_hash = hash(request.request)
      const row = { id, member: request.member, request_hash, created_at: at, claimed_at: at, sealed: null }
      const first = await take(db, row, at)
      if (first) return { state: 'first', since: first.created_at }
      const stored = await db.selectFrom('idempotent_answer').selectAll().where('id', '=', id).executeTakeFirst()
      if (!stored) return { state: 'running' }
      if (!sameBytes(stored.request_hash, request_hash)) return { state: 'other' }
      if (!stored.sealed) return { state: 'running' }
      return { state: 'answered', answer: JSON.parse(box.open(id.toString('hex'), stored.sealed).toString('utf8')) }
    },
    async keep(request, answer) {
      const id = idOf(request)
      const sealed = box.seal(id.toString('hex'), Buffer.from(JSON.stringify(answer), 'utf8'))
      await db.updateTable('idempotent_answer').set({ sealed }).where('id', '=', id).execute()
    },
    async release(request) {
      const unanswered = db.deleteFrom('idempotent_answer').where('id', '=', idOf(request)).where('sealed', 'is', null)
      await unanswered.execute()
    },
    async leave(request) {
      const unanswered = db.updateTable('idempotent_answer').set({ claimed_at: null }).where('id', '=', idOf(request))
      await unanswered.where('sealed', 'is', null).execute()
    },
    async forget(member) {
      await db.deleteFrom('idempotent_answer').where('member', '=', member).execute()
    },
    async sweep() {
      const old = new Date(now().getTime() - IDEMPOTENCY_MS)
      const { numDeletedRows } = await db
        .deleteFrom('idempotent_answer')
        .where('created_at', '<', old)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

type Claimed = Pick<KeyedRequest, 'member'> & {
  readonly id: Buffer
  readonly request_hash: Buffer
  readonly created_at: Date
  readonly claimed_at: Date
  readonly sealed: null
}

/** A key that is new, past its day, left by its call, or abandoned by one that was interrupted; else nothing. */
function take(db: AppDb, row: Claimed, at: Date): Promise<{ created_at: Date } | undefined> {
  const { request_hash, claimed_at, sealed } = row
  const old = new Date(at.getTime() - IDEMPOTENCY_MS)
  const abandoned = new Date(at.getTime() - ABANDONED_MS)
  const created_at = sql<Date>`case when idempotent_answer.created_at < ${old} then ${at}
    else idempotent_answer.created_at end`
  const free = sql<SqlBool>`(idempotent_answer.created_at < ${old} or idempotent_answer.sealed is null
    and (idempotent_answer.claimed_at is null
      or idempotent_answer.claimed_at < ${abandoned} and idempotent_answer.request_hash = ${request_hash}))`
  return db
    .insertInto('idempotent_answer')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ request_hash, claimed_at, sealed, created_at }).where(free),
    )
    .returning('created_at')
    .executeTakeFirst()
}

function idOf({ member, route, key }: KeyedRequest): Buffer {
  return hash([member, route, key].join('\u0000'))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

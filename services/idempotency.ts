import { createHash, createHmac } from 'node:crypto'
import { hours } from '../domain/shared/dates.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import { type MasterKey, masterKeysOf } from '../domain/shared/master-key.ts'
import type { AppDb } from './app-db.ts'
import type { IdempotentAnswerTable } from './app-schema.ts'
import type { Clock } from './clock.ts'
import { createBox, deriveKey, sameBytes } from './secrets.ts'

/** api-contract §6.0 */
export const IDEMPOTENCY_MS = hours(24)
/** A call that has not answered by then was interrupted: the next one with its key runs it again. */
const ABANDONED_MS = 60_000

/** `route` names the call; `request` is everything that was sent with it. */
export type KeyedRequest = { member: MemberId; route: string; key: string; request: string }
/** `position`: where in the log the write is, if it wrote. */
/** A request that has its key since `at`: later, another may have it. */
export type Claimed = KeyedRequest & { readonly at: Date }
export type KeptAnswer = { status: number; body: string; position?: string | undefined }
/**
 * `first`: run it, then `keep` or `release`. `running`: another one is at it. `other`: the key belongs to another
 * request.
 */
export type Claim =
  | { state: 'first'; claimed: Claimed }
  | { state: 'running' }
  | { state: 'other' }
  | { state: 'answered'; answer: KeptAnswer }

/**
 * Answers to writes that carry a key of their sender, so that a repeat gets the first answer. What was answered of another log, or of
 * this one before it was set back, may hold no more: it counts as none.
 */
export type Idempotency = {
  claim(request: KeyedRequest): Promise<Claim>
  /** Does nothing once another has the key; nor does `release`. */
  keep(claimed: Claimed, answer: KeptAnswer): Promise<void>
  /** The call came to nothing that should be repeated. */
  release(claimed: Claimed): Promise<void>
  forget(member: MemberId): Promise<void>
  sweep(): Promise<number>
}

/** `epoch`: which log it is, and of what life. */
type Deps = { db: AppDb; now: Clock; masterKey: MasterKey; epoch: () => Promise<string> }

export function createIdempotency(deps: Deps): Idempotency {
  const { db, now, epoch } = deps
  const box = createBox(deps.masterKey, 'idempotency')
  const { hashOf, isHashOf } = hasher(deps.masterKey)

  return {
    async claim(request) {
      const id = idOf(request)
      const at = now()
      const row = { id, member: request.member, request_hash: hashOf(request), created_at: at, epoch: await epoch() }
      if (await takes(db, row)) return { state: 'first', claimed: { ...request, at } }
      const stored = await db.selectFrom('idempotent_answer').selectAll().where('id', '=', id).executeTakeFirst()
      if (!stored) return { state: 'running' }
      if (!isHashOf(request, stored.request_hash)) return { state: 'other' }
      if (!stored.sealed) return { state: 'running' }
      return { state: 'answered', answer: JSON.parse(box.open(id.toString('hex'), stored.sealed).toString('utf8')) }
    },
    async keep(claimed, answer) {
      const id = idOf(claimed)
      const sealed = box.seal(id.toString('hex'), Buffer.from(JSON.stringify(answer), 'utf8'))
      await db
        .updateTable('idempotent_answer')
        .set({ sealed })
        .where('id', '=', id)
        .where('created_at', '=', claimed.at)
        .execute()
    },
    async release(claimed) {
      await db
        .deleteFrom('idempotent_answer')
        .where('id', '=', idOf(claimed))
        .where('created_at', '=', claimed.at)
        .where('sealed', 'is', null)
        .execute()
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

type Row = Pick<IdempotentAnswerTable, 'id' | 'request_hash' | 'created_at'> & {
  readonly member: MemberId
  readonly epoch: string
}

/** Whether the key is the row's request's from now on: nobody has it, or for too long, or in another epoch. */
async function takes(db: AppDb, row: Row): Promise<boolean> {
  const at = row.created_at.getTime()
  const first = await db
    .insertInto('idempotent_answer')
    .values({ ...row, sealed: null })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...row, sealed: null })
        .where((where) =>
          where.or([
            where('idempotent_answer.created_at', '<', new Date(at - IDEMPOTENCY_MS)),
            // Null, as a release before has it, is none that is known.
            where('idempotent_answer.epoch', '<>', row.epoch),
            where.and([
              where('idempotent_answer.sealed', 'is', null),
              where('idempotent_answer.request_hash', '=', row.request_hash),
              where('idempotent_answer.created_at', '<', new Date(at - ABANDONED_MS)),
            ]),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst()
  return first !== undefined
}

/** With a key: a request may contain what is easily guessed, such as a password. */
function hasher(masterKey: MasterKey) {
  const [first, ...others] = masterKeysOf(masterKey).map((key) => deriveKey(key, 'idempotency-request'))
  const hashBy = (key: Buffer, { request }: KeyedRequest) => createHmac('sha256', key).update(request).digest()
  return {
    hashOf: (request: KeyedRequest) => hashBy(first!, request),
    isHashOf: (request: KeyedRequest, hash: Buffer) =>
      [first!, ...others].some((key) => sameBytes(hashBy(key, request), hash)),
  }
}

function idOf({ member, route, key }: KeyedRequest): Buffer {
  return createHash('sha256').update([member, route, key].join('\u0000')).digest()
}

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createIdempotency, IDEMPOTENCY_MS } from '../../services/idempotency.ts'
import { randomId } from '../../services/random-id.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()
const start = () => {
  const now = testClock()
  const first = { member: randomId() as MemberId, route: 'DELETE /account', key: randomUUID(), request: 'one body' }
  return { now, first, other: { ...first, request: 'another' } }
}
const masterKey = randomBytes(32)
const ANSWER = { status: 200, body: '{}' }

test('a key belongs to its first request: another one is refused, running or answered, until its day is over', async () => {
  const { now, first, other } = start()
  const { claim, keep } = createIdempotency({ db: app.db, now, masterKey })
  expect(await claim(first)).toEqual({ state: 'first' })
  expect([await claim(first), await claim(other)]).toEqual([{ state: 'running' }, { state: 'other' }])
  await keep(first, ANSWER)
  expect([await claim(first), await claim(other)]).toEqual([{ state: 'answered', answer: ANSWER }, { state: 'other' }])
  now.pass(IDEMPOTENCY_MS + 1)
  expect(await claim(other)).toEqual({ state: 'first' })
})

test('what is stored of a request gives away nothing to who guesses it: its hash has a key', async () => {
  const { now, first } = start()
  await createIdempotency({ db: app.db, now, masterKey }).claim(first)
  const { request_hash: stored } = await app.db
    .selectFrom('idempotent_answer')
    .select('request_hash')
    .where('member', '=', first.member)
    .executeTakeFirstOrThrow()
  expect(stored.equals(createHash('sha256').update(first.request).digest())).toBe(false)
  const elsewhere = createIdempotency({ db: app.db, now, masterKey: randomBytes(32) })
  expect(await elsewhere.claim(first)).toEqual({ state: 'other' })
})

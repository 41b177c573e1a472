import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Claim, createIdempotency, IDEMPOTENCY_MS } from '../../services/idempotency.ts'
import { randomId } from '../../services/random-id.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()
const start = () => {
  const now = testClock()
  const first = { member: randomId() as MemberId, route: 'DELETE /account', key: randomUUID(), request: 'one body' }
  return { now, first, other: { ...first, request: 'another' } }
}
const masterKey = randomBytes(32)
const epoch = async () => 'log'
const claimedBy = (claim: Claim) => (claim.state === 'first' ? claim.claimed : expect.unreachable(claim.state))
const ANSWER = { status: 200, body: '{}' }

test('a key belongs to its first request: another one is refused, running or answered, until its day is over', async () => {
  const { now, first, other } = start()
  const { claim, keep } = createIdempotency({ db: app.db, now, masterKey, epoch })
  const claimed = claimedBy(await claim(first))
  expect([await claim(first), await claim(other)]).toEqual([{ state: 'running' }, { state: 'other' }])
  await keep(claimed, ANSWER)
  expect([await claim(first), await claim(other)]).toEqual([{ state: 'answered', answer: ANSWER }, { state: 'other' }])
  now.pass(IDEMPOTENCY_MS + 1)
  expect(await claim(other)).toMatchObject({ state: 'first' })
})

test('what is stored of a request gives away nothing to who guesses it: its hash has a key', async () => {
  const { now, first } = start()
  await createIdempotency({ db: app.db, now, masterKey, epoch }).claim(first)
  const { request_hash: stored } = await app.db
    .selectFrom('idempotent_answer')
    .select('request_hash')
    .where('member', '=', first.member)
    .executeTakeFirstOrThrow()
  expect(stored.equals(createHash('sha256').update(first.request).digest())).toBe(false)
  const elsewhere = createIdempotency({ db: app.db, now, masterKey: randomBytes(32), epoch })
  expect(await elsewhere.claim(first)).toEqual({ state: 'other' })
})

test('a request that ends once another has its key ends nothing of the other’s', async () => {
  const { now, first } = start()
  const { claim, keep, release } = createIdempotency({ db: app.db, now, masterKey, epoch })
  const late = claimedBy(await claim(first))
  now.pass(61_000)
  const second = claimedBy(await claim(first))
  await release(late)
  expect(await claim(first)).toEqual({ state: 'running' })
  await keep(late, { status: 400, body: '{}' })
  expect(await claim(first)).toEqual({ state: 'running' })
  await keep(second, ANSWER)
  expect(await claim(first)).toEqual({ state: 'answered', answer: ANSWER })
})

test('an answer of before the log was set back is none, and the key is its sender’s again', async () => {
  const { now, first } = start()
  let life = 'log'
  const { claim, keep } = createIdempotency({ db: app.db, now, masterKey, epoch: async () => life })
  await keep(claimedBy(await claim(first)), ANSWER)
  life = 'log.setback1'
  const again = claimedBy(await claim(first))
  expect(await claim(first)).toEqual({ state: 'running' })
  await keep(again, { status: 409, body: '{}' })
  expect(await claim(first)).toMatchObject({ state: 'answered', answer: { status: 409 } })
})

test('an answer that a release before has kept, of whichever life of the log, is kept for its day', async () => {
  const { now, first } = start()
  const { claim, keep } = createIdempotency({ db: app.db, now, masterKey, epoch })
  await keep(claimedBy(await claim(first)), ANSWER)
  await app.db.updateTable('idempotent_answer').set({ epoch: null }).where('member', '=', first.member).execute()
  expect(await claim(first)).toEqual({ state: 'answered', answer: ANSWER })
})

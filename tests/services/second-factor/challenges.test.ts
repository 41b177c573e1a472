import { expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { randomId } from '../../../services/random-id.ts'
import { CHALLENGE_MS, CHALLENGE_TRIES, createChallenges } from '../../../services/sessions/challenges.ts'
import { appDatabase, testClock } from '../support/app.ts'

const app = appDatabase()

/** A member whose password has this hash, and the service under a clock. */
async function start(passwordHash: string | null = 'a hash') {
  const now = testClock()
  const member = randomId() as MemberId
  const created = { member, email_key: randomId(), password_set_at: null, google_key: null, created_at: now() }
  await app.db
    .insertInto('credential')
    .values({ ...created, password_hash: passwordHash })
    .execute()
  return { now, ann: { member, passwordHash, remember: true }, challenges: createChallenges({ db: app.db, now }) }
}

test('a challenge is of the account, its password and its wish to be remembered, and is stored as a hash', async () => {
  const { ann, challenges } = await start()
  const token = (await challenges.issue(ann))!
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await challenges.find(token)).toEqual(ann)
  const rows = await app.db.selectFrom('sign_in_challenge').selectAll().where('member', '=', ann.member).execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  for (const forged of ['', 'x', `${token}x`]) expect(await challenges.find(forged)).toBeNull()
})

test('none is made by a password that has changed, or of an account that is gone', async () => {
  const { ann, challenges } = await start()
  expect(await challenges.issue({ ...ann, passwordHash: 'another' })).toBeNull()
  expect(await challenges.issue({ ...ann, passwordHash: null })).toBeNull()
  expect(await challenges.issue({ ...ann, member: randomId() as MemberId })).toBeNull()
  const google = await start(null)
  expect(await google.challenges.issue(google.ann)).not.toBeNull()
})

test('of many tries at once five count, and then it is over', async () => {
  const { ann, challenges } = await start()
  const token = (await challenges.issue(ann))!
  const tries = await Promise.all(Array.from({ length: 20 }, () => challenges.takeTry(token)))
  expect(tries.filter(Boolean)).toHaveLength(CHALLENGE_TRIES)
  expect(tries.filter((one) => one?.last)).toHaveLength(1)
  expect([await challenges.find(token), await challenges.takeTry(token)]).toEqual([null, null])
})

test('it lasts for five minutes, and is ended once', async () => {
  const { now, ann, challenges } = await start()
  const [first, second] = [(await challenges.issue(ann))!, (await challenges.issue(ann))!]
  const ended = await Promise.all([1, 2, 3].map(() => challenges.end(first)))
  expect(ended.filter(Boolean)).toHaveLength(1)
  expect(await challenges.takeTry(first)).toBeNull()
  now.pass(CHALLENGE_MS - 1)
  expect(await challenges.find(second)).not.toBeNull()
  now.pass(1)
  expect([await challenges.find(second), await challenges.takeTry(second)]).toEqual([null, null])
  expect(await challenges.sweep()).toBeGreaterThan(0)
})

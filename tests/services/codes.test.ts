import { expect, test } from 'vitest'
import { CODE_FAILURES_MS, CODE_TRIES, createCodes } from '../../services/codes.ts'
import { randomId } from '../../services/random-id.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()
const start = () => {
  const now = testClock()
  return { now, codes: createCodes({ db: app.db, now }), ann: randomId() }
}
type Started = ReturnType<typeof start>
async function issue({ codes, ann }: Started) {
  const issued = await codes.issue('reset', ann)
  if (!issued.ok) throw new Error('The code was refused.')
  return issued
}
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a code works once, for its own purpose and address', async () => {
  const started = start()
  const { codes, ann } = started
  const { code } = await issue(started)
  expect(code).toMatch(/^\d{6}$/)
  expect(await codes.verify('signup', ann, code)).toBe('expired')
  expect(await codes.verify('reset', randomId(), code)).toBe('expired')
  expect(await codes.verify('reset', ann, wrong(code))).toBe('wrong')
  expect(await codes.verify('reset', ann, code)).toBe('ok')
  expect(await codes.verify('reset', ann, code)).toBe('expired')
})

test('a look at a right code leaves it, a look at a wrong one is a try', async () => {
  const started = start()
  const { codes, ann } = started
  const { code } = await issue(started)
  for (let looks = 0; looks < CODE_TRIES; looks += 1) expect(await codes.peek('reset', ann, code)).toBe('ok')
  for (let tries = 1; tries < CODE_TRIES; tries += 1) expect(await codes.peek('reset', ann, wrong(code))).toBe('wrong')
  expect(await codes.verify('reset', ann, code)).toBe('ok')
  expect(await codes.peek('reset', ann, code)).toBe('expired')
})

test('of 200 tries at once at most five are looked at', async () => {
  const started = start()
  const { codes, ann } = started
  const { code } = await issue(started)
  const tries = Array.from({ length: 200 }, () => codes.verify('reset', ann, wrong(code)))
  const verdicts = await Promise.all(tries)
  expect(verdicts.filter((verdict) => verdict === 'wrong')).toHaveLength(CODE_TRIES)
  expect(await codes.verify('reset', ann, code)).toBe('expired')
})

test('the right code sent twice at once is good once', async () => {
  const started = start()
  const { code } = await issue(started)
  const verdicts = await Promise.all([1, 2, 3, 4].map(() => started.codes.verify('reset', started.ann, code)))
  expect(verdicts.filter((verdict) => verdict === 'ok')).toHaveLength(1)
})

test('a code is old after ten minutes', async () => {
  const started = start()
  const { code, linkToken } = await issue(started)
  started.now.pass(600_000)
  expect(await started.codes.verify('reset', started.ann, code)).toBe('expired')
  expect(await started.codes.verifyLink('reset', linkToken)).toBeNull()
})

test('another code can be had after a minute and ends the first', async () => {
  const started = start()
  const { codes, now, ann } = started
  const first = await issue(started)
  now.pass(20_000)
  expect(await codes.issue('reset', ann)).toEqual({ ok: false, retryInMs: 40_000 })
  now.pass(40_000)
  const second = await issue(started)
  expect(await codes.verifyLink('reset', first.linkToken)).toBeNull()
  if (first.code !== second.code) expect(await codes.verify('reset', ann, first.code)).toBe('wrong')
  expect(await codes.verify('reset', ann, second.code)).toBe('ok')
})

test('after a hundred failures in a row only the link works, and then codes work again', async () => {
  const started = start()
  const { codes, now, ann } = started
  for (let round = 0; round < 20; round++) {
    const { code } = await issue(started)
    for (let attempt = 0; attempt < 5; attempt++) expect(await codes.verify('reset', ann, wrong(code))).toBe('wrong')
    now.pass(60_000)
  }
  const { code, linkToken } = await issue(started)
  expect(await codes.verify('reset', ann, code)).toBe('expired')
  expect(await codes.peekLink('reset', linkToken)).toBe(ann)
  expect(await codes.verifyLink('reset', linkToken)).toBe(ann)
  expect(await codes.verifyLink('reset', linkToken)).toBeNull()
  now.pass(60_000)
  expect(await codes.verify('reset', ann, (await issue(started)).code)).toBe('ok')
})

test('an address that gets no code meets the same answers, and none of its codes is right', async () => {
  const { codes, now, ann } = start()
  expect(await codes.issueDecoy('reset', ann)).toEqual({ ok: true, code: null })
  expect(await codes.issueDecoy('reset', ann)).toEqual({ ok: false, retryInMs: 60_000 })
  for (let attempt = 0; attempt < 5; attempt++) expect(await codes.verify('reset', ann, '123456')).toBe('wrong')
  expect(await codes.verify('reset', ann, '123456')).toBe('expired')
  now.pass(60_000)
  expect(await codes.issueDecoy('reset', ann)).toMatchObject({ ok: true })
})

test('a code counts as issued, for its own purpose, for ten minutes, used or not, and so does a decoy', async () => {
  const started = start()
  const { codes, now, ann } = started
  const [bob, nobody] = [randomId(), randomId()]
  const issued = () => Promise.all([ann, bob, nobody].map((key) => codes.isIssued('reset', key)))
  expect(await issued()).toEqual([false, false, false])
  const { code } = await issue(started)
  await codes.issueDecoy('reset', bob)
  expect(await issued()).toEqual([true, true, false])
  expect(await codes.isIssued('signup', ann)).toBe(false)
  expect(await codes.verify('reset', ann, code)).toBe('ok')
  now.pass(599_999)
  expect(await issued()).toEqual([true, true, false])
  now.pass(1)
  expect(await issued()).toEqual([false, false, false])
})

test('a code whose mail did not go out is gone, and the next one may follow at once', async () => {
  const started = start()
  const { codes, ann } = started
  const { code } = await issue(started)
  await codes.withdraw('reset', ann)
  expect(await codes.verify('reset', ann, code)).toBe('expired')
  await issue(started)
})

test('failures are forgotten after thirty days without another one', async () => {
  const started = start()
  const { codes, now, ann } = started
  const failures = () => app.db.selectFrom('code_failure').selectAll().where('email_key', '=', ann).execute()
  await codes.verify('reset', ann, wrong((await issue(started)).code))
  now.pass(CODE_FAILURES_MS - 1)
  await codes.sweep()
  expect(await failures()).toHaveLength(1)
  now.pass(1)
  expect(await codes.sweep()).toBeGreaterThan(0)
  expect(await failures()).toEqual([])
})

test('neither code nor link stands in the database', async () => {
  const started = start()
  const { code, linkToken } = await issue(started)
  const row = await app.db.selectFrom('code').selectAll().where('email_key', '=', started.ann).executeTakeFirstOrThrow()
  const dump = Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
  expect(dump.filter((text) => text.includes(code) || text.includes(linkToken))).toEqual([])
})

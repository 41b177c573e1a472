import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openAppDb } from '../../services/app-db.ts'
import { createLimits } from '../../services/limits/limits.ts'
import { createLoginGuard, type LoginGuard } from '../../services/limits/login-guard.ts'
import { RATES, type RateClass } from '../../services/limits/rates.ts'
import { randomId } from '../../services/random-id.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()
// The limiter reads the process's own clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') }))
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
const minute = 60_000

async function takeMany(rateClass: RateClass, key: string, times: number): Promise<number> {
  const limits = createLimits({ db: app.db })
  let taken = 0
  for (let n = 0; n < times; n++) if ((await limits.take(rateClass, key)).ok) taken++
  return taken
}

test('every class refuses what goes beyond its first window, and says for how long', async () => {
  const limits = createLimits({ db: app.db })
  for (const rateClass of Object.keys(RATES) as RateClass[]) {
    const [{ points, seconds }] = RATES[rateClass].windows
    const key = randomId()
    expect(await limits.take(rateClass, key, points), rateClass).toEqual({ ok: true })
    const refused = await limits.take(rateClass, key)
    expect(refused, rateClass).toMatchObject({ ok: false })
    if (!refused.ok) expect(refused.retryInMs).toBeLessThanOrEqual(seconds * 1000)
    expect(await limits.take(rateClass, randomId())).toEqual({ ok: true })
  }
})

test('an address gets one mail a minute, five an hour and ten a day', async () => {
  const address = randomId()
  let mails = 0
  for (let n = 0; n < 24 * 60; n += 1) {
    mails += await takeMany('SEND', address, 1)
    if (n === 59) expect(mails).toBe(5)
    pass(minute + 1)
  }
  expect(mails).toBe(10)
})

test('what the minute refuses does not use up the day', async () => {
  const ann = randomId()
  expect(await takeMany('LIKE', ann, 200)).toBe(30)
  pass(minute + 1)
  expect(await takeMany('LIKE', ann, 200)).toBe(30)
})

test('two processes share one count', async () => {
  const ann = randomId()
  const [one, two] = [createLimits({ db: app.db }), createLimits({ db: app.db })]
  const takes = Array.from({ length: 30 }, (_, n) => (n % 2 ? one : two).take('AI', ann))
  expect((await Promise.all(takes)).filter(({ ok }) => ok)).toHaveLength(20)
})

test('the same profile counts once, and another one counts', async () => {
  const limits = createLimits({ db: app.db })
  const ann = randomId()
  for (let n = 0; n < 200; n++) expect((await limits.takeDistinct('VIEW', ann, `profile${n}`)).ok).toBe(true)
  expect((await limits.takeDistinct('VIEW', ann, 'profile7')).ok).toBe(true)
  pass(minute)
  expect(await limits.takeDistinct('VIEW', ann, 'profile200')).toEqual({ ok: false, retryInMs: 59 * minute })
  expect((await limits.takeDistinct('VIEW', randomId(), 'profile200')).ok).toBe(true)
})

test('of forty decks at once, over two processes, two hundred profiles are shown', async () => {
  const elsewhere = openAppDb(app.config)
  onTestFinished(() => elsewhere.destroy())
  const [one, two] = [createLimits({ db: app.db }), createLimits({ db: elsewhere })]
  const ann = randomId()
  const deck = (n: number) => Array.from({ length: 20 }, (_, card) => `profile${n * 15 + card}`)
  const dealt = await Promise.all(
    Array.from({ length: 40 }, (_, n) => (n % 2 ? one : two).takeEach('VIEW', ann, deck(n))),
  )
  expect(new Set(dealt.flatMap(({ allowed }) => [...allowed])).size).toBe(200)
  for (const { allowed, retryInMs } of dealt) expect(retryInMs !== undefined).toBe(allowed.size < 20)
})

test('within any hour two hundred distinct profiles are shown, also when one was looked at again', async () => {
  const limits = createLimits({ db: app.db })
  const ann = randomId()
  const many = (from: number, count: number) => Array.from({ length: count }, (_, n) => `profile${from + n}`)
  await limits.takeEach('VIEW', ann, many(0, 200))
  pass(59 * minute)
  expect((await limits.takeEach('VIEW', ann, many(0, 50))).allowed.size).toBe(50)
  pass(2 * minute)
  const next = await limits.takeEach('VIEW', ann, many(200, 200))
  expect([next.allowed.size, next.retryInMs]).toEqual([150, 58 * minute])
})

test('a sweep forgets windows and profiles that are over', async () => {
  const limits = createLimits({ db: app.db })
  const ann = randomId()
  await limits.take('AI', ann)
  await limits.takeDistinct('VIEW', ann, 'profile')
  pass(60 * minute + 1)
  expect(await limits.sweep()).toBeGreaterThanOrEqual(2)
  expect(await app.db.selectFrom('met').selectAll().where('key', '=', `VIEW:${ann}`).execute()).toEqual([])
  expect(await app.db.selectFrom('rate').selectAll().where('key', 'like', `%${ann}%`).execute()).toEqual([])
})

test('peeking does not count, giving back and resetting do', async () => {
  const limits = createLimits({ db: app.db })
  const ann = randomId()
  await limits.take('CRIT', ann, 5)
  expect((await limits.peek('CRIT', ann)).ok).toBe(false)
  await limits.giveBack('CRIT', ann)
  expect((await limits.peek('CRIT', ann)).ok).toBe(true)
  expect((await limits.take('CRIT', ann)).ok).toBe(true)
  await limits.reset('CRIT', ann)
  expect((await limits.take('CRIT', ann, 5)).ok).toBe(true)
})

test.each(['CRIT', 'READ'] as const)('%s: what was never taken, or before its window, is no credit', async (name) => {
  const limits = createLimits({ db: app.db })
  const [{ points, seconds }] = RATES[name].windows
  const left = async (key: string) => {
    expect(await limits.take(name, key, points)).toEqual({ ok: true })
    return (await limits.take(name, key)).ok
  }
  const [ann, bea, cat] = [randomId(), randomId(), randomId()]
  await limits.giveBack(name, ann, 2)
  expect(await left(ann)).toBe(false)
  await limits.take(name, bea, 3)
  await Promise.all(Array.from({ length: 20 }, () => limits.giveBack(name, bea)))
  expect(await left(bea)).toBe(false)
  await limits.take(name, cat)
  pass(seconds * 1000 + 1)
  await limits.giveBack(name, cat)
  expect(await left(cat)).toBe(false)
})

test('what is given back while others take is neither lost nor more', async () => {
  const [one, two] = [createLimits({ db: app.db }), createLimits({ db: app.db })]
  const ann = randomId()
  await one.take('AI', ann, 10)
  await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? one.giveBack('AI', ann) : two.take('AI', ann))))
  expect(await one.take('AI', ann, 10)).toEqual({ ok: true })
  expect((await one.take('AI', ann)).ok).toBe(false)
})

test('lifted limits refuse nothing', async () => {
  const limits = createLimits({ db: app.db, off: true })
  for (let n = 0; n < 50; n++) expect((await limits.take('CRIT', 'ann')).ok).toBe(true)
})

const guard = () => {
  const now = testClock()
  return { now, guard: createLoginGuard({ db: app.db, now }), ann: randomId() }
}

test('of two hundred guesses at once ten are compared', async () => {
  const { guard: login, ann } = guard()
  const tries = await Promise.all(Array.from({ length: 200 }, () => login.before({ emailKey: ann })))
  expect(tries.filter(({ ok }) => ok)).toHaveLength(10)
})

test('ten right sign-ins at once, and again, all pass, though their clocks differ by milliseconds', async () => {
  const now = testClock()
  let read = 0
  const uneven = () => new Date(now().getTime() + (read++ % 3))
  const [login, ann] = [createLoginGuard({ db: app.db, now: uneven }), randomId()]
  const signIn = async () => {
    const verdict = await login.before({ emailKey: ann })
    if (verdict.ok) await login.succeeded({ emailKey: ann })
    return verdict
  }
  for (let round = 0; round < 20; round++) {
    const verdicts = await Promise.all(Array.from({ length: 10 }, signIn))
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([])
  }
})

test('after ten failures the waits grow from half a minute to an hour', async () => {
  const { now, guard: login, ann } = guard()
  for (let n = 0; n < 10; n++) await login.before({ emailKey: ann })
  const waits: number[] = []
  for (let n = 0; n < 9; n++) {
    const refused = await login.before({ emailKey: ann })
    if (refused.ok) throw new Error('A try too many was let through.')
    waits.push(refused.retryInMs)
    now.pass(refused.retryInMs)
    expect((await login.before({ emailKey: ann })).ok).toBe(true)
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600].map((seconds) => seconds * 1000))
})

test('after a hundred failures in a row only a reset by mail helps', async () => {
  const { now, guard: login, ann } = guard()
  for (let n = 0; n < 100; n++) {
    expect((await login.before({ emailKey: ann })).ok).toBe(true)
    now.pass(3_600_000)
  }
  expect(await login.before({ emailKey: ann })).toMatchObject({ ok: false, mailLink: true })
  await login.clear(ann)
  expect((await login.before({ emailKey: ann })).ok).toBe(true)
})

/** When the window began that a try counts in, which is let through. */
async function sinceOf(login: LoginGuard, emailKey: string): Promise<Date> {
  const verdict = await login.before({ emailKey })
  if (!verdict.ok) throw new Error('It was refused.')
  return verdict.since
}

test('a try that was not compared counts for nothing, also among the waits', async () => {
  const { now, guard: login, ann } = guard()
  const counts = () => sinceOf(login, ann)
  for (let n = 0; n < 200; n++) {
    await login.giveBack({ emailKey: ann }, await counts())
  }
  for (let n = 0; n < 11; n++) {
    const verdict = await login.before({ emailKey: ann })
    if (!verdict.ok) now.pass(verdict.retryInMs)
  }
  await login.giveBack({ emailKey: ann }, await counts())
  expect(await login.before({ emailKey: ann })).toEqual({ ok: false, retryInMs: 30_000 })
})

test('a try is given back to its own window alone', async () => {
  const { now, guard: login, ann } = guard()
  const earlier = []
  for (let n = 0; n < 9; n++) earlier.push(await sinceOf(login, ann))
  await login.succeeded({ emailKey: ann })
  now.pass(1)
  for (let n = 0; n < 10; n++) await sinceOf(login, ann)
  for (const since of earlier) await login.giveBack({ emailKey: ann }, since)
  expect(await login.before({ emailKey: ann })).toMatchObject({ ok: false })
})

/** A device is known of an account alone. */
const isAccount = (emailKey: string) =>
  app.db
    .insertInto('credential')
    .values({
      member: randomId(),
      email_key: emailKey,
      password_hash: null,
      password_set_at: null,
      created_at: new Date(),
    })
    .execute()

test('a device of an address that has no account is not kept', async () => {
  const { guard: login, ann } = guard()
  await login.succeeded({ emailKey: ann })
  expect(await app.db.selectFrom('known_device').selectAll().where('email_key', '=', ann).execute()).toEqual([])
})

test('a success forgets the failures, and others cannot lock out a known device', async () => {
  const { guard: login, ann } = guard()
  await isAccount(ann)
  for (let n = 0; n < 9; n++) await login.before({ emailKey: ann })
  const { device } = await login.succeeded({ emailKey: ann })
  for (let n = 0; n < 50; n++) await login.before({ emailKey: ann, device: 'not a known one' })
  expect((await login.before({ emailKey: ann })).ok).toBe(false)
  expect((await login.before({ emailKey: ann, device })).ok).toBe(true)
  expect((await login.before({ emailKey: randomId(), device })).ok).toBe(true)
})

test('a device that was not used for four hundred days is forgotten', async () => {
  const { now, guard: login, ann } = guard()
  await isAccount(ann)
  const { device } = await login.succeeded({ emailKey: ann })
  const devices = () => app.db.selectFrom('known_device').selectAll().where('email_key', '=', ann).execute()
  now.pass(400 * 24 * 60 * minute)
  await login.sweep()
  expect(await devices()).toHaveLength(1)
  now.pass(1)
  await login.sweep()
  expect(await devices()).toEqual([])
  for (let n = 0; n < 10; n++) await login.before({ emailKey: ann })
  expect((await login.before({ emailKey: ann, device })).ok).toBe(false)
})

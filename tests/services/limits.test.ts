import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openAppDb } from '../../services/app-db.ts'
import { createLimits } from '../../services/limits/limits.ts'
import { RATES, type RateClass } from '../../services/limits/rates.ts'
import { randomId } from '../../services/random-id.ts'
import { appDatabase } from './support/app.ts'

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

test('what begins anew does so in every process, however far over it somebody was', async () => {
  const [one, two] = [createLimits({ db: app.db }), createLimits({ db: app.db })]
  const ann = randomId()
  for (const limits of [one, two]) {
    await limits.take('SIGN_IN', ann, 1_000)
    expect(await limits.take('SIGN_IN', ann)).toMatchObject({ ok: false })
  }
  await one.reset('SIGN_IN', ann)
  expect(await two.take('SIGN_IN', ann)).toEqual({ ok: true })
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

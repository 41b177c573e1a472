import { expect, test } from 'vitest'
import { createLoginGuard, type LoginGuard } from '../../../services/limits/login-guard.ts'
import { randomId } from '../../../services/random-id.ts'
import { appDatabase, testClock } from '../support/app.ts'

const app = appDatabase()
const minute = 60_000

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

/** Ten failures, and one more at the end of each wait, until a wait is an hour. */
async function guessUntilAnHour(now: ReturnType<typeof testClock>, login: LoginGuard, emailKey: string) {
  for (let wait = 0; wait < 60 * minute; ) {
    const verdict = await login.before({ emailKey })
    if (verdict.ok) continue
    wait = verdict.retryInMs
    if (wait < 60 * minute) now.pass(wait)
  }
}

test('the waits that have grown end with a day without failures, and the failures in a row go on', async () => {
  const { now, guard: login, ann } = guard()
  await guessUntilAnHour(now, login, ann)
  now.pass(23 * 60 * minute)
  await sinceOf(login, ann)
  expect(await login.before({ emailKey: ann })).toEqual({ ok: false, retryInMs: 60 * minute })
  now.pass(24 * 60 * minute)
  for (let n = 0; n < 10; n++) await sinceOf(login, ann)
  expect(await login.before({ emailKey: ann })).toEqual({ ok: false, retryInMs: 30_000 })
  const row = app.db.selectFrom('login_guard').select('in_a_row').where('key', '=', ann)
  expect((await row.executeTakeFirstOrThrow()).in_a_row).toBe(28)
})

test('a try that is given back after such a day leaves no waits of before', async () => {
  const { now, guard: login, ann } = guard()
  await guessUntilAnHour(now, login, ann)
  now.pass(25 * 60 * minute)
  await login.giveBack({ emailKey: ann }, await sinceOf(login, ann))
  for (let n = 0; n < 10; n++) await sinceOf(login, ann)
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

/** The waits of guesses that keep to them; `meanwhile` before the first that follows the window's ten. */
async function waitsWith(meanwhile: (login: LoginGuard, ann: string) => Promise<unknown>) {
  const { now, guard: login, ann } = guard()
  for (let n = 0; n < 10; n++) await sinceOf(login, ann)
  const waits: number[] = []
  for (let n = 0; n < 4; n++) {
    const refused = await login.before({ emailKey: ann })
    const wait = refused.ok ? 0 : refused.retryInMs
    waits.push(wait / 1000)
    now.pass(n === 0 ? 900_000 : wait)
    if (n === 0) await meanwhile(login, ann)
    if (n === 0) now.pass(wait)
    await sinceOf(login, ann)
  }
  return waits
}

test('the waits grow on past their window, also where a try of the next is given back', async () => {
  const grown = [30, 60, 120, 240]
  expect(await waitsWith(async () => undefined)).toEqual(grown)
  const leave = async (login: LoginGuard, ann: string) => login.giveBack({ emailKey: ann }, await sinceOf(login, ann))
  expect(await waitsWith(leave)).toEqual(grown)
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
  expect(await Promise.all([device, 'not a known one'].map(login.knowsOfAny))).toEqual([true, false])
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

import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_ENTITLEMENTS } from '../../../usecases/acting.ts'
import { deleteOwnAccount } from '../../../usecases/identity/delete-account.ts'
import { endOtherSessions, endSession, listOwnSessions } from '../../../usecases/identity/end-sessions.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { prove, RECENT_MS } from '../../../usecases/identity/prove.ts'
import type { Ports, SignedIn } from '../../../usecases/ports.ts'
import { confirmSecondFactor } from '../../../usecases/second-factor/confirm.ts'
import { renewRecoveryCodes } from '../../../usecases/second-factor/renew-recovery-codes.ts'
import { startSecondFactor } from '../../../usecases/second-factor/start.ts'
import { turnOffSecondFactor } from '../../../usecases/second-factor/turn-off.ts'
import { PASSWORD } from '../../support/newcomers.ts'
import { authenticator, turnOn } from '../../support/outside/authenticator.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let context: Ports
beforeAll(async () => {
  ;({ world, context } = await startStrictWorld())
})
afterAll(() => world.stop())

const now = () => new Date()
const LOGIN_AGAIN = { ok: false, reason: 'login-again' }
const label = 'Another'

/** The session of somebody, signed in so long ago. */
async function signedIn(person: Person, agoMs = 0): Promise<SignedIn> {
  const session = (await world.services.sessions.find(person.token))!.id
  const authAt = new Date(Date.now() - agoMs)
  return { ...context, who: { member: person.id, session, status: 'active', entitlements: NO_ENTITLEMENTS, authAt } }
}
const long = (person: Person) => signedIn(person, RECENT_MS + 1)
const eventsOf = async ({ id }: Person) => {
  const stored = await world.core.codec.decode(await world.core.log.read(`member-${id}`, 0))
  return stored.filter(({ type }) => /^(SecondFactorChanged|RecoveryCodeUsed|SessionsRevoked)$/.test(type))
}
const mailsOf = async ({ email }: Person) =>
  ((await world.product.mailbox?.list({ to: email })) ?? []).map(({ subject }) => subject)

test('turning on takes a log-in of just now and a code of the app, ends the other sessions, and is mailed', async () => {
  const ann = await world.member('Ann')
  const other = await world.services.sessions.create({ member: ann.id, remember: false, label })
  expect(await startSecondFactor(await long(ann))).toEqual(LOGIN_AGAIN)
  const acting = await signedIn(ann)
  const started = await startSecondFactor(acting)
  if (!started.ok) throw new Error(started.reason)
  const { secret, uri } = started.value
  expect([new URL(uri).searchParams.get('secret'), decodeURIComponent(uri)]).toEqual([
    secret,
    expect.stringContaining(ann.email),
  ])
  const app = authenticator(secret, now)
  expect(await confirmSecondFactor(await long(ann), { code: app.next() })).toEqual(LOGIN_AGAIN)
  expect(await confirmSecondFactor(acting, { code: app.wrong() })).toEqual({ ok: false, reason: 'wrong-code' })
  expect(await world.services.sessions.find(other.token)).not.toBeNull()
  const confirmed = await confirmSecondFactor(acting, { code: app.next() })
  expect(confirmed.ok && confirmed.value.recoveryCodes).toHaveLength(10)
  expect(await world.services.sessions.find(other.token)).toBeNull()
  expect(await world.services.sessions.find(ann.token)).not.toBeNull()
  expect(await eventsOf(ann)).toMatchObject([
    { type: 'SecondFactorChanged', how: 'turned-on' },
    { type: 'SessionsRevoked', sessions: [other.session.id] },
  ])
  await until('the mail is there', async () =>
    (await mailsOf(ann)).includes('2-step verification is on for your LetsBuzz account'),
  )
  expect(await startSecondFactor(acting)).toEqual({ ok: false, reason: 'already-on' })
})

test('nothing of a secret or a code is in the log', async () => {
  const bea = await world.member('Bea')
  const acting = await signedIn(bea)
  const started = await startSecondFactor(acting)
  if (!started.ok) throw new Error(started.reason)
  const app = authenticator(started.value.secret, now)
  const code = app.next()
  const confirmed = await confirmSecondFactor(acting, { code })
  const words = [started.value.secret, code, ...(confirmed.ok ? confirmed.value.recoveryCodes : [])]
  expect(words).toHaveLength(12)
  const stored = JSON.stringify(await world.core.codec.decode(await world.core.log.read(`member-${bea.id}`, 0)))
  expect(words.filter((word) => stored.includes(word))).toEqual([])
})

test('turning off and new recovery codes take a log-in of just now and a code, and are mailed', async () => {
  const cat = await world.member('Cat')
  expect(await turnOffSecondFactor(await signedIn(cat), { code: '123456' })).toEqual({ ok: false, reason: 'not-on' })
  const app = await turnOn(world.services, cat.id)
  const acting = await signedIn(cat)
  for (const change of [renewRecoveryCodes, turnOffSecondFactor]) {
    expect(await change(await long(cat), { code: app.recoveryCodes[0]! })).toEqual(LOGIN_AGAIN)
    expect(await change(acting, { code: app.wrong() })).toEqual({ ok: false, reason: 'wrong-code' })
  }
  const renewed = await renewRecoveryCodes(await signedIn(cat), { code: app.recoveryCodes[0]! })
  if (!renewed.ok) throw new Error(renewed.reason)
  await context.limits.reset('CRIT', cat.id)
  expect(await turnOffSecondFactor(acting, { code: app.recoveryCodes[1]! })).toEqual({
    ok: false,
    reason: 'wrong-code',
  })
  expect(await turnOffSecondFactor(acting, { code: renewed.value.recoveryCodes[0]! })).toEqual({
    ok: true,
    value: null,
  })
  expect(await eventsOf(cat)).toMatchObject([
    { type: 'RecoveryCodeUsed', left: 9 },
    { type: 'SecondFactorChanged', how: 'codes-renewed' },
    { type: 'RecoveryCodeUsed', left: 9 },
    { type: 'SecondFactorChanged', how: 'turned-off' },
  ])
  await until('the mails are there', async () => (await mailsOf(cat)).length >= 4)
  expect((await mailsOf(cat)).sort()).toEqual([
    '2-step verification is off for your LetsBuzz account',
    'A recovery code of your LetsBuzz account was used',
    'A recovery code of your LetsBuzz account was used',
    'You have new recovery codes for your LetsBuzz account',
  ])
})

test('a stolen session guesses five codes an hour', async () => {
  const dan = await world.member('Dan')
  const app = await turnOn(world.services, dan.id)
  const acting = await signedIn(dan)
  const reasons = []
  for (let tries = 0; tries < 6; tries++) {
    const tried = await turnOffSecondFactor(acting, { code: app.wrong() })
    reasons.push(tried.ok ? 'off' : tried.reason)
  }
  expect(reasons).toEqual([...Array(5).fill('wrong-code'), 'slow-down'])
})

test('the password alone proves nobody who has a second factor', async () => {
  const eve = await world.member('Eve')
  const app = await turnOn(world.services, eve.id)
  const acting = await long(eve)
  expect(await prove(acting, { password: PASSWORD })).toEqual({ ok: false, reason: 'code-required' })
  expect(await prove(acting, { password: PASSWORD, code: app.wrong() })).toEqual({ ok: false, reason: 'wrong-code' })
  expect(await prove(acting, { password: 'something else', code: app.next() })).toMatchObject({
    ok: false,
    reason: 'wrong-password',
  })
  const code = app.next()
  expect(await deleteOwnAccount(acting, { password: PASSWORD })).toEqual({ ok: false, reason: 'code-required' })
  expect(await prove(acting, { password: PASSWORD, code })).toEqual({ ok: true, value: null })
  await context.limits.reset('CRIT', eve.id)
  expect(await deleteOwnAccount(acting, { password: PASSWORD, code })).toEqual({ ok: false, reason: 'used-code' })
  expect(await deleteOwnAccount(acting, { password: PASSWORD, code: app.recoveryCodes[0]! })).toEqual({
    ok: true,
    value: null,
  })
})

test('an erasure leaves nothing of a second factor', async () => {
  const fay = await world.member('Fay')
  await turnOn(world.services, fay.id)
  const credential = await world.services.credentials.findByMember(fay.id)
  const { passwordHash } = credential!
  await world.services.challenges.issue({ member: fay.id, passwordHash, remember: false })
  expect(await eraseAccount({ ...context, actor: 'admin:test' }, fay.id)).toMatchObject({ ok: true })
  for (const table of ['second_factor', 'recovery_code', 'sign_in_challenge'] as const) {
    const rows = await world.core.storage.app.selectFrom(table).select('member').where('member', '=', fay.id).execute()
    expect([table, rows]).toEqual([table, []])
  }
})

test('sessions are listed by ids of their own, and one of them is ended by its member alone', async () => {
  const [gia, hal] = [await world.member('Gia'), await world.member('Hal')]
  const other = await world.services.sessions.create({ member: gia.id, remember: false, label })
  const acting = await signedIn(gia)
  const listed = await listOwnSessions(acting)
  expect(listed.map((one) => [one.label, one.current]).sort()).toEqual([
    ['A test', true],
    ['Another', false],
  ])
  expect(JSON.stringify(listed)).not.toContain(other.token)
  const unknown = { ok: false, reason: 'unknown' }
  expect(await endSession(await signedIn(hal), { session: other.session.id })).toEqual(unknown)
  expect(await endSession(acting, { session: other.session.id })).toEqual({ ok: true, value: null })
  expect(await endSession(acting, { session: other.session.id })).toEqual(unknown)
  expect(await eventsOf(gia)).toMatchObject([{ type: 'SessionsRevoked', sessions: [other.session.id] }])
})

test('a session that signed in long ago ends itself alone', async () => {
  const joy = await world.member('Joy')
  const other = await world.services.sessions.create({ member: joy.id, remember: false, label })
  const acting = await long(joy)
  expect(await endSession(acting, { session: other.session.id })).toEqual(LOGIN_AGAIN)
  expect(await endSession(acting, { session: 'x'.repeat(24) })).toEqual(LOGIN_AGAIN)
  expect(await world.services.sessions.find(other.token)).not.toBeNull()
  expect(await endSession(acting, { session: acting.who.session })).toEqual({ ok: true, value: null })
  expect(await world.services.sessions.find(joy.token)).toBeNull()
})

test('who guesses codes at the log-in costs a member no code of their app on a device that is known', async () => {
  const kim = await world.member('Kim')
  const app = await turnOn(world.services, kim.id)
  const emailKey = world.services.credentials.emailKey(kim.email)
  const { device } = await world.services.loginGuard.succeeded({ emailKey })
  const row = { in_window: 0, in_a_row: 100, waits: 0, window_started_at: now(), next_at: now() }
  const guessed = { key: `code:${emailKey}`, ...row }
  await world.core.storage.app.insertInto('login_guard').values(guessed).execute()
  const acting = await signedIn(kim)
  const needed = { ok: false, reason: 'recovery-code-needed' }
  expect(await prove(acting, { password: PASSWORD, code: app.next() })).toMatchObject(needed)
  const onDevice = { ...acting, device: async () => device }
  expect(await prove(onDevice, { password: PASSWORD, code: app.next() })).toEqual({ ok: true, value: null })
  const strange = { ...acting, device: async () => 'a device of somebody else' }
  expect(await prove(strange, { password: PASSWORD, code: app.next() })).toMatchObject(needed)
})

test('signing out everywhere else takes a log-in of just now, and leaves the session that asks', async () => {
  const ida = await world.member('Ida')
  const others = await Promise.all(
    [1, 2].map(() => world.services.sessions.create({ member: ida.id, remember: true, label })),
  )
  expect(await endOtherSessions(await long(ida))).toEqual(LOGIN_AGAIN)
  const acting = await signedIn(ida)
  expect(await endOtherSessions(acting)).toEqual({ ok: true, value: null })
  expect((await listOwnSessions(acting)).map(({ current }) => current)).toEqual([true])
  const [ended] = await eventsOf(ida)
  expect(ended?.type === 'SessionsRevoked' && [...ended.sessions].sort()).toEqual(
    others.map(({ session }) => session.id).sort(),
  )
})

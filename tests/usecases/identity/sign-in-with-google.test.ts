import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import { createGoogle } from '../../../services/google.ts'
import { type GoogleInput, signInWithGoogle } from '../../../usecases/identity/sign-in-with-google.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { findProof } from '../../../usecases/register/proof.ts'
import { register } from '../../../usecases/register/register.ts'
import { newcomer, twoPhotos } from '../../support/newcomers.ts'
import { type Claims, type FakeGoogle, GOOGLE_CLIENT, startGoogle } from '../../support/outside/google.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
let fake: FakeGoogle
beforeAll(async () => {
  fake = await startGoogle()
  world = await startWorld({ web: false, rateLimits: true, config: { google: GOOGLE_CLIENT } })
})
afterAll(async () => {
  await world?.stop()
  fake?.stop()
})

const label = 'A test'
let visitors = 0
const visitor = (): Ports => ({ ...world.context, limits: world.services.limits, ip: `192.0.2.${++visitors}` })
const signIn = async (claims: Claims, more: Partial<GoogleInput> = {}, ports = visitor()) =>
  signInWithGoogle(ports, { idToken: await fake.idToken(claims), label, ...more })

async function onboard(claims: Claims) {
  const outcome = await signIn(claims)
  if (!outcome.ok || !('onboarding' in outcome.value)) throw new Error(`No newcomer: ${JSON.stringify(outcome)}`)
  return outcome.value.onboarding
}

async function join(signupToken: string, ports = visitor()) {
  const proof = await findProof(world.services, signupToken)
  const { payload } = await newcomer(world)
  const photos = await twoPhotos(world, proof?.id ?? '')
  const { password: _password, ...answers } = { ...payload, photos }
  return register(ports, { signupToken, payload: answers, label })
}

test('whoever Google vouches for registers without a password, and is found by Google alone', async () => {
  const ann = { sub: 'ann', email: 'ann.by.google@example.com' }
  const { signupToken, member } = await onboard(ann)
  expect(await join(signupToken)).toMatchObject({ ok: true, value: { member } })
  expect(await world.services.credentials.findByMember(member)).toMatchObject({ passwordHash: null })
  expect(await signIn(ann)).toMatchObject({ ok: true, value: { member: { member, status: 'active' } } })
  expect(await signIn({ ...ann, sub: 'another-ann' })).toEqual({ ok: false, reason: 'password-account' })
})

test('of two registrations of one Google account the second finds it taken', async () => {
  const bea = { sub: 'bea', email: 'bea.by.google@example.com' }
  const [first, second] = [await onboard(bea), await onboard({ ...bea, email: 'bea.elsewhere@example.com' })]
  expect(await join(first.signupToken)).toMatchObject({ ok: true })
  expect(await join(second.signupToken)).toMatchObject({ ok: false })
  expect(await world.core.log.read(`member-${second.member}`)).toEqual([])
  expect(await signIn(bea)).toMatchObject({ ok: true, value: { member: { member: first.member } } })
})

test('of two registrations of one Google account at the same time one is refused, and nothing of it is recorded', async () => {
  const fay = { sub: 'fay', email: 'fay.by.google@example.com' }
  const [one, two] = [await onboard(fay), await onboard({ ...fay, email: 'fay.elsewhere@example.com' })]
  let other: Awaited<ReturnType<typeof join>> | undefined
  const ports = visitor()
  const { dispatch } = ports
  const interrupted: Ports['dispatch'] = async (...command) => {
    other ??= await join(two.signupToken)
    return dispatch(...command)
  }
  expect(await join(one.signupToken, { ...ports, dispatch: interrupted })).toMatchObject({ ok: true })
  expect(other).toEqual({ ok: false, reason: 'busy' })
  for (const stream of ['member', 'profile', 'gallery'])
    expect(await world.core.log.read(`${stream}-${two.member}`)).toEqual([])
  expect(await signIn(fay)).toMatchObject({ ok: true, value: { member: { member: one.member } } })
  expect(await join(two.signupToken)).toEqual({ ok: false, reason: 'taken' })
})

test('any number at once, one account', async () => {
  const gus = { sub: 'gus', email: 'gus.by.google@example.com' }
  const proofs = await Promise.all([1, 2, 3].map((n) => onboard({ ...gus, email: `gus.${n}@example.com` })))
  const outcomes = await Promise.all(proofs.map(({ signupToken }) => join(signupToken)))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  for (const one of outcomes) if (!one.ok) expect(['busy', 'taken']).toContain(one.reason)
  const members = await Promise.all(proofs.map(({ member }) => world.core.log.read(`member-${member}`)))
  expect(members.filter((events) => events.length > 0)).toHaveLength(1)
})

test('an address that has an account is not taken over, whoever made it', async () => {
  const cat = await world.join('Cat')
  expect(await signIn({ sub: 'cat', email: cat.email })).toEqual({ ok: false, reason: 'password-account' })
})

test('a suspended member stays out, and so does a nonce of another flow', async () => {
  const dan = { sub: 'dan', email: 'dan.by.google@example.com' }
  const { signupToken, member } = await onboard(dan)
  await join(signupToken)
  const failed = { ok: false, reason: 'google-failed' }
  expect(await signIn({ ...dan, nonce: 'theirs' }, { nonce: 'mine' })).toEqual(failed)
  const suspend = { type: 'Suspend', member, reason: 'A test', at: new Date() } as const
  await world.context.dispatch(memberDecider, suspend, { commandId: world.newCommand(), actor: 'admin:test' })
  expect(await signIn(dan)).toEqual({ ok: false, reason: 'suspended' })
})

test('a device that the account knows signs in whatever others of its network tried, and no other one does', async () => {
  const [hal, ivy] = ['hal', 'ivy'].map((sub) => ({ sub, email: `${sub}.by.google@example.com` })) as [Claims, Claims]
  const devices: string[] = []
  for (const claims of [hal, ivy]) {
    await join((await onboard(claims)).signupToken)
    const first = await signIn(claims)
    if (!first.ok || !('member' in first.value)) throw new Error(JSON.stringify(first))
    devices.push(first.value.member.device)
  }
  const office = visitor()
  const [own, others] = devices
  expect(await signIn(hal, {}, office)).toMatchObject({ ok: true })
  for (let n = 0; n < 30; n++) await signInWithGoogle(office, { idToken: 'none', label })
  const slow = { ok: false, reason: 'slow-down', retryInMs: expect.any(Number) }
  for (const device of [undefined, others, 'made-up']) expect(await signIn(hal, { device }, office)).toEqual(slow)
  for (let n = 0; n < 2; n++) expect(await signIn(hal, { device: own }, office)).toMatchObject({ ok: true })
  expect(await signIn(ivy, {}, office)).toEqual(slow)
})

test('an account that opened as many sessions as it may hears how long to wait, by Google as by password', async () => {
  const kim = { sub: 'kim', email: 'kim.by.google@example.com' }
  const { signupToken, member } = await onboard(kim)
  await join(signupToken)
  await world.services.limits.take('SIGN_IN', member, 60)
  expect(await signIn(kim)).toEqual({ ok: false, reason: 'slow-down', retryInMs: expect.any(Number) })
})

test('tokens that name nobody count against their connection, and nothing works where Google is not set up', async () => {
  const one = visitor()
  const reasons: string[] = []
  for (let n = 0; n < 31; n++) {
    const outcome = await signInWithGoogle(one, { idToken: 'none', label })
    reasons.push(outcome.ok ? 'signed in' : outcome.reason)
  }
  expect(reasons).toEqual([...Array(30).fill('google-failed'), 'slow-down'])
  const eve = { sub: 'eve', email: 'eve.by.google@example.com' }
  expect(await signIn(eve, {}, { ...visitor(), google: null })).toEqual({ ok: false, reason: 'google-failed' })
  expect(await signIn(eve, { idToken: '' })).toEqual({ ok: false, reason: 'missing-token' })
})

test('a token that cannot be looked at, as Google’s keys are away, counts against nobody and is reported once', async () => {
  const google = createGoogle({ client: GOOGLE_CLIENT, emailPepper: world.secrets.emailPepper, now: () => new Date() })
  const reported: unknown[] = []
  const one = { ...visitor(), google, reportError: (error: unknown) => void reported.push(error) }
  const jan = { sub: 'jan', email: 'jan.by.google@example.com' }
  await one.limits.take('LOGIN_IP', one.ip, 29)
  fake.answer('keys', () => new Response(null, { status: 503 }))
  onTestFinished(() => fake.mend())
  for (let n = 0; n < 3; n++) expect(await signIn(jan, {}, one)).toEqual({ ok: false, reason: 'google-away' })
  expect(reported).toEqual(Array(3).fill(expect.objectContaining({ name: 'KeysAway' })))
  fake.mend()
  expect(await signIn({ ...jan, email_verified: false }, {}, one)).toEqual({ ok: false, reason: 'google-failed' })
  expect(await signIn(jan, {}, one)).toMatchObject({ ok: false, reason: 'slow-down' })
})

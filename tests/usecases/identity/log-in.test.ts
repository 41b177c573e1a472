import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { logOut } from '../../../usecases/identity/log-out.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { PASSWORD } from '../../support/newcomers.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import type { World } from '../../support/world.ts'

let world: World
let context: Ports
let visitor: () => Ports
beforeAll(async () => {
  ;({ world, context, visitor } = await startStrictWorld())
})
afterAll(() => world.stop())

const label = 'A test'
const INVALID = { ok: false, reason: 'invalid-credentials' }

test('address and password open a session; the address is trimmed and in any case', async () => {
  const ann = await world.join('Ann')
  const answer = await logIn(visitor(), { email: `  ${ann.email.toUpperCase()} `, password: PASSWORD, label })
  expect(answer).toMatchObject({ ok: true, value: { member: ann.id, status: 'active', session: { remember: false } } })
  const kept = await logIn(visitor(), { email: ann.email, password: PASSWORD, remember: true, label })
  expect(kept).toMatchObject({ value: { session: { remember: true } } })
})

test('an unknown address, a wrong password and a password with a space too many are refused for the same reason', async () => {
  const bea = await world.join('Bea')
  const tries = [
    { email: 'nobody@example.com', password: PASSWORD },
    { email: bea.email, password: 'something else' },
    { email: bea.email, password: `${PASSWORD} ` },
    { email: bea.email, password: 'x'.repeat(5000) },
  ]
  for (const given of tries) expect(await logIn(visitor(), { ...given, label })).toEqual(INVALID)
  const missing = (field: string) => ({ ok: false, reason: 'missing', fields: [field] })
  expect(await logIn(visitor(), { email: ' ', password: '', label })).toEqual(missing('email'))
  expect(await logIn(visitor(), { email: bea.email, password: '', label })).toEqual(missing('password'))
})

test('a password that was chosen with outer spaces, when that was allowed, still signs in', async () => {
  const gus = await world.join('Gus')
  const password = ` ${PASSWORD} `
  await world.services.credentials.changePassword(gus.id, await world.services.passwords.hash(password, 'here'))
  expect(await logIn(visitor(), { email: gus.email, password, label })).toMatchObject({ ok: true })
  expect(await logIn(visitor(), { email: gus.email, password: PASSWORD, label })).toEqual(INVALID)
})

test('a suspended member learns of it only after the right password; a deactivated one may sign in', async () => {
  const [cat, dan] = [await world.join('Cat'), await world.join('Dan')]
  await world.account(cat, 'Suspend')
  await world.account(dan, 'Deactivate')
  const sus = { email: cat.email, label }
  expect(await logIn(visitor(), { ...sus, password: 'wrong' })).toEqual(INVALID)
  expect(await logIn(visitor(), { ...sus, password: PASSWORD })).toEqual({ ok: false, reason: 'suspended' })
  const back = await logIn(visitor(), { email: dan.email, password: PASSWORD, label })
  expect(back).toMatchObject({ ok: true, value: { status: 'deactivated' } })
})

test('guesses of others stop at ten and do not lock out a known device', async () => {
  const eve = await world.join('Eve')
  const known = await logIn(visitor(), { email: eve.email, password: PASSWORD, label })
  if (!known.ok) throw new Error(known.reason)
  for (let guess = 0; guess < 10; guess++) {
    expect(await logIn(visitor(), { email: eve.email, password: `guess ${guess}`, label })).toEqual(INVALID)
  }
  const blocked = await logIn(visitor(), { email: eve.email, password: PASSWORD, label })
  expect(blocked).toEqual({ ok: false, reason: 'slow-down', retryInMs: expect.any(Number) })
  expect(!blocked.ok && blocked.retryInMs).toBeGreaterThan(0)
  const { device } = known.value
  expect(await logIn(visitor(), { email: eve.email, password: PASSWORD, device, label })).toMatchObject({ ok: true })
})

/** Thirty wrong sign-ins of others from one network, after which it may try no more. */
async function usedUp(office: Ports): Promise<void> {
  for (let n = 0; n < 30; n++) await logIn(office, { email: `nobody${n}@example.com`, password: 'a guess', label })
  const stranger = { email: 'nobody@example.com', password: 'a guess', label }
  expect(await logIn(office, stranger)).toMatchObject({ ok: false, reason: 'slow-down' })
}

test('what others of a network used up does not stop a known device, which has its own ten tries', async () => {
  const [kim, lou] = [await world.join('Kim'), await world.join('Lou')]
  const known = await logIn(visitor(), { email: kim.email, password: PASSWORD, label })
  if (!known.ok) throw new Error(known.reason)
  const { device } = known.value
  const office = visitor()
  await usedUp(office)
  const given = { email: kim.email, password: PASSWORD, device, label }
  for (let n = 0; n < 3; n++) expect(await logIn(office, given)).toMatchObject({ ok: true })
  expect(await logIn(office, { ...given, device: undefined })).toMatchObject({ ok: false, reason: 'slow-down' })
  expect(await logIn(office, { ...given, email: lou.email })).toMatchObject({ ok: false, reason: 'slow-down' })
  const left = AbortSignal.abort(new Error('gone'))
  for (let n = 0; n < 2; n++) await expect(logIn({ ...office, left }, given)).rejects.toThrow('gone')
  for (let n = 0; n < 8; n++) expect(await logIn(office, { ...given, password: `guess ${n}` })).toEqual(INVALID)
  expect(await logIn(office, given)).toMatchObject({ ok: false, reason: 'slow-down' })
})

test('the guesses of a known device leave its network what it may try', async () => {
  const mia = await world.join('Mia')
  const known = await logIn(visitor(), { email: mia.email, password: PASSWORD, label })
  if (!known.ok) throw new Error(known.reason)
  const office = visitor()
  const guess = { email: mia.email, password: 'a guess', device: known.value.device, label }
  for (let n = 0; n < 10; n++) expect(await logIn(office, guess)).toEqual(INVALID)
  await usedUp(office)
})

test('a right password whose sender left before it was compared is no failed try', async () => {
  const ida = await world.join('Ida')
  const given = { email: ida.email, password: PASSWORD, label }
  const left = AbortSignal.abort(new Error('gone'))
  for (let n = 0; n < 12; n++) await expect(logIn({ ...visitor(), left }, given)).rejects.toThrow('gone')
  for (let guess = 0; guess < 9; guess++) {
    expect(await logIn(visitor(), { ...given, password: `guess ${guess}` })).toEqual(INVALID)
  }
  expect(await logIn(visitor(), given)).toMatchObject({ ok: true })
})

test('a right password while the log is away is no failed try, of the account or of its network', async () => {
  const jan = await world.join('Jan')
  const given = { email: jan.email, password: PASSWORD, label }
  const loadState = async () => Promise.reject(new Error('the log is away'))
  const one = visitor()
  for (let n = 0; n < 40; n++) await expect(logIn({ ...one, loadState }, given)).rejects.toThrow('the log is away')
  expect(await logIn(one, given)).toMatchObject({ ok: true })
})

test('signing out ends this session and says so in the log', async () => {
  const fay = await world.join('Fay')
  const [first] = await world.services.sessions.list(fay.id)
  if (!first) throw new Error('Fay has no session.')
  const second = await world.services.sessions.create({ member: fay.id, remember: false, label })
  await logOut(context, { viewer: { member: fay.id, session: first.id }, signupToken: null })
  await logOut(context, { viewer: { member: fay.id, session: first.id }, signupToken: null })
  await logOut(context, { viewer: null, signupToken: null })
  expect(await world.services.sessions.find(fay.token)).toBeNull()
  expect(await world.services.sessions.find(second.token)).not.toBeNull()
  const stored = await world.core.codec.decode(await world.core.log.read(`member-${fay.id}`, 0))
  expect(stored.filter(({ type }) => type === 'SessionsRevoked')).toMatchObject([{ sessions: [first.id] }])
})

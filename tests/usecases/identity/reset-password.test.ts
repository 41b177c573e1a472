import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { resetFaults, resetPassword } from '../../../usecases/identity/reset-password.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { codeOf, PASSWORD } from '../../support/newcomers.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'

let world: World
let visitor: Awaited<ReturnType<typeof startStrictWorld>>['visitor']
beforeAll(async () => {
  ;({ world, visitor } = await startStrictWorld())
})
afterAll(() => world.stop())

const label = 'A test'
const INVALID = { ok: false, reason: 'invalid-credentials' }
const NEW_PASSWORD = 'copper-meadow-77-train'

test('a code of the mail sets a new password and ends every session', async () => {
  const gia = await world.join('Gia')
  const asked = await forgotPassword(visitor(), { email: gia.email })
  expect(asked).toEqual({ ok: true, value: null })
  await until('the mail is there', () => world.mail(gia.email))
  const reset = { email: gia.email, code: await codeOf(world, gia.email), newPassword: NEW_PASSWORD }
  expect(await resetPassword(visitor(), { ...reset, confirm: `${NEW_PASSWORD}x` })).toEqual({
    ok: false,
    reason: 'passwords-differ',
  })
  expect(await resetPassword(visitor(), { ...reset, newPassword: 'password123' })).toEqual({
    ok: false,
    reason: 'common',
  })
  expect(await resetPassword(visitor(), { ...reset, newPassword: ` ${NEW_PASSWORD}` })).toEqual({
    ok: false,
    reason: 'outer-spaces',
  })
  expect(await resetPassword(visitor(), { ...reset, confirm: NEW_PASSWORD })).toMatchObject({ ok: true })
  expect(await world.services.sessions.find(gia.token)).toBeNull()
  expect(await logIn(visitor(), { email: gia.email, password: PASSWORD, label })).toEqual(INVALID)
  expect(await logIn(visitor(), { email: gia.email, password: NEW_PASSWORD, label })).toMatchObject({ ok: true })
  expect(await resetPassword(visitor(), reset)).toEqual({ ok: false, reason: 'invalid-code' })
})

test('a log-in whose old password was looked at before a reset opens no session after it', async () => {
  const ivo = await world.join('Ivo')
  await forgotPassword(visitor(), { email: ivo.email })
  await until('the mail is there', () => world.mail(ivo.email))
  const reset = { email: ivo.email, code: await codeOf(world, ivo.email), newPassword: NEW_PASSWORD }
  const ports = visitor()
  const passwords: Ports['passwords'] = {
    ...ports.passwords,
    async verify(hash, password, network) {
      const fits = await ports.passwords.verify(hash, password, network)
      expect(await resetPassword(visitor(), reset)).toMatchObject({ ok: true })
      return fits
    },
  }
  expect(await logIn({ ...ports, passwords }, { email: ivo.email, password: PASSWORD, label })).toEqual(INVALID)
  expect(await world.services.sessions.list(ivo.id)).toEqual([])
  expect(await logIn(visitor(), { email: ivo.email, password: NEW_PASSWORD, label })).toMatchObject({ ok: true })
})

test('the link of the mail stands for address and code, once', async () => {
  const hal = await world.join('Hal')
  await forgotPassword(visitor(), { email: hal.email })
  const mail = await until('the mail is there', () => world.mail(hal.email))
  const link = /link=([\w-]+)/.exec(mail.text)?.[1]
  expect(await resetPassword(visitor(), { link, newPassword: NEW_PASSWORD })).toMatchObject({ ok: true })
  expect(await resetPassword(visitor(), { link, newPassword: NEW_PASSWORD })).toEqual({
    ok: false,
    reason: 'invalid-code',
  })
})

test('an unknown address gets the same answer and no mail, and no code fits it', async () => {
  const email = 'nobody.at.all@example.com'
  expect(await forgotPassword(visitor(), { email })).toMatchObject({ ok: true })
  expect(await resetPassword(visitor(), { email, code: '123456', newPassword: NEW_PASSWORD })).toEqual({
    ok: false,
    reason: 'invalid-code',
  })
  expect(await world.mail(email)).toBeNull()
  expect(await forgotPassword(visitor(), { email: 'no address' })).toEqual({ ok: false, reason: 'invalid-email' })
})

test('a name is refused beside a right code alone, which stays usable', async () => {
  const isolde = await world.join('Isolde')
  await forgotPassword(visitor(), { email: isolde.email })
  await until('the mail is there', () => world.mail(isolde.email))
  const code = await codeOf(world, isolde.email)
  const named = { email: isolde.email, code, newPassword: 'xx-isolde-quarry-88' }
  const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  expect(await resetPassword(visitor(), { ...named, code: other })).toEqual({ ok: false, reason: 'invalid-code' })
  for (let tries = 0; tries < 6; tries += 1)
    expect(await resetPassword(visitor(), named)).toEqual({ ok: false, reason: 'personal' })
  expect(await resetPassword(visitor(), { ...named, newPassword: NEW_PASSWORD })).toMatchObject({ ok: true })
})

test.each([
  ['a name', 'xx-jorunn-quarry-88'],
  ['the address', 'xx-quasar.kelp-88'],
])('%s is refused beside a link, which stays usable', async (_what, newPassword) => {
  const jorunn = await world.member('Jorunn', { email: `quasar.kelp@${randomUUID()}.example.com` })
  await forgotPassword(visitor(), { email: jorunn.email })
  const mail = await until('the mail is there', () => world.mail(jorunn.email))
  const link = /link=([\w-]+)/.exec(mail.text)?.[1]
  const personal = { link, newPassword }
  expect(await resetPassword(visitor(), personal)).toEqual({ ok: false, reason: 'personal' })
  expect(await resetPassword(visitor(), { ...personal, email: 'another@example.com' })).toMatchObject({ ok: false })
  expect(await resetPassword(visitor(), { ...personal, newPassword: NEW_PASSWORD })).toMatchObject({ ok: true })
})

test('everything that is wrong is found in one round, and a wrong code costs one of its tries there', async () => {
  const kai = await world.join('Kai')
  await forgotPassword(visitor(), { email: kai.email })
  await until('the mail is there', () => world.mail(kai.email))
  const code = await codeOf(world, kai.email)
  const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const faults = (typed: { code?: string; newPassword: string; confirm: string }) =>
    resetFaults(visitor(), { email: kai.email, ...typed })
  expect(await faults({ newPassword: '', confirm: '' })).toEqual(['malformed-code', 'too-short'])
  const short = { newPassword: 'abc', confirm: 'abd' }
  expect(await faults({ code: '12', ...short })).toEqual(['malformed-code', 'too-short', 'passwords-differ'])
  const fit = { newPassword: NEW_PASSWORD, confirm: NEW_PASSWORD }
  for (let tries = 0; tries < 6; tries++)
    expect(await faults({ code, ...short }), 'a right code stays').toEqual(['too-short', 'passwords-differ'])
  for (let tries = 0; tries < 6; tries++)
    expect(await faults({ code: other, ...fit }), 'it is for the reset itself to try').toEqual([])
  for (let tries = 0; tries < 5; tries++)
    expect(await faults({ code: other, ...short })).toEqual(['invalid-code', 'too-short', 'passwords-differ'])
  expect(await resetPassword(visitor(), { email: kai.email, code, ...fit })).toEqual({
    ok: false,
    reason: 'invalid-code',
  })
})

test('what is wrong is answered alike with an account and without', async () => {
  const lia = await world.join('Lia')
  const typed = { code: '000000', newPassword: 'abc', confirm: 'abd' }
  const answers = []
  for (const email of [lia.email, `nobody.${randomUUID()}@example.com`]) {
    await forgotPassword(visitor(), { email })
    answers.push(await resetFaults(visitor(), { email, ...typed }))
  }
  expect(answers[0]).toEqual(['invalid-code', 'too-short', 'passwords-differ'])
  expect(answers[1]).toEqual(answers[0])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { memberDecider } from '../../domain/identity/member.ts'
import { logIn } from '../../usecases/identity/log-in.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

test('a changed password is announced by mail, once', async () => {
  const ann = await world.member('Ann')
  const command = { type: 'NotePasswordChange', member: ann.id, how: 'reset', at: new Date() } as const
  await world.core.dispatch(memberDecider, command, { commandId: world.newCommand(), actor: ann.id })
  const mail = await until('the mail is there', () => world.mail(ann.email))
  expect(mail.subject).toBe('Your LetsBuzz password was changed')
  expect(await world.product.mailbox?.list({ to: ann.email })).toHaveLength(1)
})

test('a suspension states its reason and how to object', async () => {
  const bea = await world.member('Bea')
  await world.account(bea, 'Suspend')
  const mail = await until('the mail is there', () => world.mail(bea.email))
  expect(mail.text).toContain('A test')
  expect(mail.text).toContain(`${world.publicUrl}/contact`)
})

test('a sign-in from a browser that was not seen before is announced by mail, and one from a known browser is not', async () => {
  const cat = await world.member('Cat')
  const signIn = (device?: string) =>
    logIn(world.context, { email: cat.email, password: cat.password, device, label: 'A test' })
  const mails = async () => (await world.product.mailbox?.list({ to: cat.email })) ?? []
  const first = await signIn()
  if (!first.ok) throw new Error(first.reason)
  const mail = await until('the mail is there', () => world.mail(cat.email))
  expect(mail.subject).toBe('A new sign-in to your LetsBuzz account')
  expect(mail.text).toContain(`${world.publicUrl}/forgot-password`)
  expect(await signIn(first.value.device)).toMatchObject({ ok: true })
  expect(await signIn('a-browser-of-somebody-else')).toMatchObject({ ok: true })
  await until('the second mail is there', async () => (await mails()).length >= 2)
  const stored = await world.core.log.read(`member-${cat.id}`)
  expect(stored.filter(({ type }) => type === 'SignedInOnNewDevice')).toHaveLength(2)
  expect(await mails()).toHaveLength(2)
})

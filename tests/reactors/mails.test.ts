import { afterAll, beforeAll, expect, test } from 'vitest'
import { memberDecider } from '../../domain/identity/member.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

test('a changed password is told by mail, once', async () => {
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

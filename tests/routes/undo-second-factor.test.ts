import { afterAll, beforeAll, expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { days } from '../../domain/shared/dates.ts'
import { PASSWORD } from '../support/newcomers.ts'
import { turnOn } from '../support/outside/authenticator.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 240_000)
afterAll(() => world.stop())

const NEW_PASSWORD = 'copper-meadow-77-train'
const WHAT = 'This also turns 2-step verification off and ends every session'
const INVALID = 'Invalid or expired code.'

/** Somebody whose second factor is on, and the link of the mail about it. */
async function taken(name: string) {
  const who = await world.member(name)
  await turnOn(world.services, who.id)
  const { token } = (await world.services.undoLinks.issue(who.id))!
  return { who, path: `/forgot-password?link=${token}`, link: token }
}
const send = async (path: string, fields: Record<string, string>) => {
  const body = new URLSearchParams({ intent: 'reset', ...fields })
  const answer = await world.page(path, { method: 'POST', body })
  return { status: answer.status, text: await answer.text() }
}
const look = async (path: string) => (await world.page(path)).text()
const logIn = async ({ email }: Person, password: string) => {
  const body = JSON.stringify({ email, password })
  return (await world.api('/auth/login', { method: 'POST', body })).status
}
const both = (newPassword: string) => ({ newPassword, confirm: newPassword })

test('the page of the link states what will happen, keeps it beside a refused password, and does it once', async () => {
  const { who, path, link } = await taken('Ann')
  const page = await look(path)
  for (const part of ['Take your account back', WHAT, 'Reset password and turn 2-step verification off', link])
    expect(page).toContain(part)
  expect(page).not.toContain('6-digit code')
  const common = await send(path, { link, ...both('password123') })
  expect([common.status, common.text.includes(WHAT)]).toEqual([400, true])
  const differs = await send(path, { link, newPassword: NEW_PASSWORD, confirm: 'another' })
  expect([differs.status, differs.text.includes('Passwords do not match.')]).toEqual([400, true])
  expect(await logIn(who, PASSWORD)).toBe(403)
  const done = await send(path, { link, ...both(NEW_PASSWORD) })
  const message = 'Password reset successful! 2-step verification is off. Please login.'
  expect([done.status, done.text.includes(message)]).toEqual([200, true])
  expect([await logIn(who, PASSWORD), await logIn(who, NEW_PASSWORD)]).toEqual([401, 200])
  expect(await world.services.sessions.find(who.token)).toBeNull()
  const again = await send(path, { link, ...both('another-kettle-51-fern') })
  expect([again.status, again.text.includes(INVALID)]).toEqual([400, true])
  expect(await look(path)).toContain(INVALID)
})

test('the link does the same in a browser that is still signed in, which then has to sign in again', async () => {
  const { who, path, link } = await taken('Dee')
  const headers = { cookie: `${SESSION_COOKIE}=${who.token}` }
  expect(await (await world.page(path, { headers })).text()).toContain(WHAT)
  const body = new URLSearchParams({ intent: 'reset', link, ...both(NEW_PASSWORD) })
  const done = await world.page(path, { method: 'POST', body, headers })
  expect([done.status, (await done.text()).includes('2-step verification is off')]).toEqual([200, true])
  expect(await world.services.sessions.find(who.token)).toBeNull()
  const without = await world.page('/forgot-password', {
    headers: { cookie: `${SESSION_COOKIE}=${(await world.member('Eve')).token}` },
  })
  expect(without.status).toBe(200)
})

test('a link that is wrong, or older than seven days, leads to a page that says so', async () => {
  const { who, path, link } = await taken('Bea')
  const wrong = await look(`/forgot-password?link=${'x'.repeat(43)}`)
  expect([wrong.includes(INVALID), wrong.includes(WHAT)]).toEqual([true, false])
  const links = world.core.storage.app.updateTable('undo_link').where('member', '=', who.id)
  await links.set({ expires_at: new Date(Date.now() - days(1)) }).execute()
  const late = await look(path)
  expect([late.includes(INVALID), late.includes(WHAT)]).toEqual([true, false])
  const sent = await send(path, { link, ...both(NEW_PASSWORD) })
  expect([sent.status, sent.text.includes(INVALID)]).toEqual([400, true])
  expect(await world.services.secondFactor.isOn(who.id)).toBe(true)
})

test('a link that ends between looking and sending leads to a new code, and of the other kind too', async () => {
  const next = 'href="/forgot-password?redirectTo=%2Fchat">Send me a new code</a>'
  const undo = await taken('Fay')
  const gil = await world.member('Gil')
  const reset = await world.services.codes.issue('reset', world.services.credentials.emailKey(gil.email))
  if (!reset.ok) throw new Error('No code was issued.')
  await world.core.storage.app.deleteFrom('undo_link').where('member', '=', undo.who.id).execute()
  await world.services.codes.verifyLink('reset', reset.linkToken)
  for (const [link, fields, another] of [
    [undo.link, { undoes: 'yes' }, true],
    [reset.linkToken, {}, false],
  ] as const) {
    const sent = await send(`/forgot-password?link=${link}&redirectTo=%2Fchat`, {
      link,
      ...fields,
      ...both(NEW_PASSWORD),
    })
    expect([sent.status, sent.text.includes(INVALID), sent.text.includes(next)]).toEqual([400, true, true])
    for (const dead of ['#forgot-code', 'name="newPassword"', '6-digit code']) expect(sent.text).not.toContain(dead)
    expect(sent.text.includes('the mail that confirms it has a new link')).toBe(another)
  }
})

test('the link fits no call: by one, nothing but a code resets a password', async () => {
  const { who, link } = await taken('Cat')
  const body = JSON.stringify({ email: who.email, link, code: link, newPassword: NEW_PASSWORD })
  const answer = await world.api('/auth/reset-password', { method: 'POST', body })
  expect([answer.status, (await answer.json()).error]).toEqual([400, INVALID])
  expect(await world.services.secondFactor.isOn(who.id)).toBe(true)
})

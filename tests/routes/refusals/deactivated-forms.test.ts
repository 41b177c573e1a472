import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let [ann, bea]: Person[] = []
beforeAll(async () => {
  world = await startWorld()
  ;[ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  if (ann) await world.account(ann, 'Deactivate')
  await world.settled()
}, 120_000)
afterAll(() => world?.stop())

/** A report without script, by a member who is deactivated. */
function report(words: string): Promise<Response> {
  const path = `/report/${bea?.id}`
  const body = new URLSearchParams({ as: String(ann?.id), commandId: world.newCommand(), words })
  const headers = { Referer: world.url + path }
  return world.page(path, { ...(ann && { as: ann }), method: 'POST', body, headers })
}

test('what a deactivated member sends is carried until they are back', async () => {
  const answer = await report('She asked for money')
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/settings/delete'])
  expect(answer.headers.getSetCookie().join()).toContain('__Host-typed0=')
})

test('more than is carried stays on a page that leads to the account', async () => {
  const codes = Array.from({ length: 4_000 }, () => 0x4e00 + Math.floor(Math.random() * 20_000))
  const words = String.fromCodePoint(...codes)
  const answer = await report(words)
  const page = await answer.text()
  expect([answer.status, page.includes(words), page.includes('Send again')]).toEqual([403, true, true])
  expect(page).toContain('<a href="/settings/delete" target="_blank">Come back to your account in another tab</a>')
})

test('a form of the account’s own page is not carried', async () => {
  const body = new URLSearchParams({ as: String(ann?.id), commandId: world.newCommand(), intent: 'reactivate' })
  const headers = { Referer: `${world.url}/settings/delete` }
  const answer = await world.page('/settings/delete', { ...(ann && { as: ann }), method: 'POST', body, headers })
  expect(answer.status).toBe(302)
  expect(answer.headers.getSetCookie().join()).not.toContain('__Host-typed0=')
})

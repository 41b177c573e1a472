import { afterAll, beforeAll, expect, test } from 'vitest'
import { END, field } from '../services/support/forms.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
}, 120_000)
afterAll(() => world?.stop())

const TOO_LONG = 'This is too long to be sent. Shorten it and try again.'
/** Too long as a browser encodes it, and not too long to be given back. */
const LONG = 'x'.repeat(70_000) + 'é'.repeat(40_000)
const send = (path: string, body: URLSearchParams | Uint8Array<ArrayBuffer>, { as = ann, type = '' } = {}) =>
  world.page(path, { as, method: 'POST', body, ...(type && { headers: { 'Content-Type': type } }) })
const plain = (fields: Record<string, string>) => new URLSearchParams(fields)

test('a page answers a form with too much text by itself, and gives back everything but secrets', async () => {
  const body = plain({ email: LONG, password: 'violet otter' })
  const answer = await world.page('/login', { method: 'POST', body })
  const html = await answer.text()
  expect([answer.status, html.includes(TOO_LONG), html.includes(LONG), html.includes('violet otter')]).toEqual([
    413,
    true,
    true,
    false,
  ])
})

test('only the section that was sent shows it, and nothing is saved', async () => {
  const before = await world.core.log.read(`profile-${ann.id}`)
  const sections = [
    send('/profile/edit', plain({ section: 'about', bio: LONG })),
    send(
      '/profile/edit',
      new Uint8Array(Buffer.concat([field('section', 'about'), field('bio', 'x'.repeat(70_000)), END])),
      {
        type: 'multipart/form-data; boundary=b',
      },
    ),
  ]
  for (const answer of await Promise.all(sections)) {
    const html = (await answer.text()).replaceAll(/<script.*?<\/script>/gs, '')
    expect([answer.status, html.split(TOO_LONG).length - 1, html.includes('x'.repeat(70_000))]).toEqual([413, 1, true])
  }
  expect(await world.core.log.read(`profile-${ann.id}`)).toEqual(before)
})

test('script gets the same reply as data, and an address without a page the sentence alone', async () => {
  const body = plain({ intent: 'ask-delete', password: LONG })
  const data = await send('/settings/delete.data', body)
  const reply = await data.text()
  expect([data.status, reply.includes(TOO_LONG), reply.includes(LONG)]).toEqual([413, true, false])
  const theme = await send('/theme', plain({ theme: LONG }))
  expect([theme.status, await theme.text()]).toEqual([413, TOO_LONG])
})

test('of more than is read a page says so and gives nothing back, also where its length is not announced', async () => {
  const far = `bio=${'x'.repeat(1_100_000)}`
  const headers = { Origin: world.url, Cookie: ann.cookie, 'Content-Type': 'application/x-www-form-urlencoded' }
  const unannounced: RequestInit & { duplex: 'half' } = { duplex: 'half', body: new Blob([far]).stream() }
  for (const more of [{ body: far }, unannounced]) {
    const answer = await fetch(`${world.url}/profile/edit`, { method: 'POST', headers, ...more })
    const html = await answer.text()
    expect([answer.status, html.includes('This is too long to be sent'), html.length < 5_000]).toEqual([
      413,
      true,
      true,
    ])
  }
})

test('of more files than are read a page names the limits and leads back to the form', async () => {
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const body = new Uint8Array(53 * 1024 * 1024)
  const answer = await world.page('/profile/gallery', { as: ann, method: 'POST', body, headers })
  const html = await answer.text()
  expect(answer.status).toBe(413)
  expect(html).toContain('A picture may have up to 15 MB, a video 50 MB')
  expect(html).toContain('Go back and choose a smaller file')
})

const plainType = { 'Content-Type': 'application/x-www-form-urlencoded' }
const login = (body: string) => world.page('/login', { method: 'POST', headers: plainType, body })

test.each([
  ['what a page has to escape', () => login(`email=${'<'.repeat(390_000)}`)],
  ['a name', () => login(`${'<'.repeat(390_000)}=1`)],
  ['usual text', () => login(`email=${'x'.repeat(300_000)}`)],
  ['the name of its form', () => login(`intent=${'<'.repeat(390_000)}`)],
  [
    'fields of the other encoding',
    () => {
      const fields = Array.from({ length: 5 }, (_, n) => field(`one${n}`, '<'.repeat(60_000)))
      const body = new Uint8Array(Buffer.concat([...fields, END]))
      return send('/profile/edit', body, { type: 'multipart/form-data; boundary=b' })
    },
  ],
])('of more than may be taken, as %s, a page says to go back, and gives nothing back', async (_what, answering) => {
  const answer = await answering()
  const html = await answer.text()
  expect([answer.status, html.includes('Go back and shorten it'), html.length < 5_000]).toEqual([413, true, true])
})

test('the dearest form that is given back makes no more than a bounded answer', async () => {
  const answer = await login(`email=${'<'.repeat(200_000)}${'%3C'.repeat(60_000)}`)
  const html = await answer.text()
  expect([answer.status, html.includes('&lt;'.repeat(260_000))]).toEqual([413, true])
  expect(html.length).toBeLessThan(3_000_000)
})

test('script gets the sentence alone for more than may be given back, for the form that was sent', async () => {
  const data = await send('/profile/edit.data', plain({ section: 'about', bio: 'x'.repeat(300_000) }))
  const reply = await data.text()
  expect([data.status, reply.includes(TOO_LONG), reply.includes('"about"'), reply.length < 5_000]).toEqual([
    413,
    true,
    true,
    true,
  ])
})

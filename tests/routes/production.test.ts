import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../support/world.ts'

let local: World
let production: World
beforeAll(async () => {
  local = await startWorld()
  production = await startWorld({ config: { mode: 'production' } })
})
afterAll(() => Promise.all([local.stop(), production.stop()]))

const MAIL = { to: 'ann@example.com', subject: 'Six digits', text: '123456', html: '' }
/** With words that the answer holds in local mode. */
const PAGES: readonly [string, string][] = [
  ['/openapi.json', '"openapi"'],
  ['/dev/mailbox', MAIL.subject],
  ['/dev/mailbox.json', MAIL.subject],
  ['/dev/mailbox.json?to=ann@example.com', MAIL.subject],
  ['/dev/gallery', 'Gallery'],
  ['/dev/gallery/overlays', 'Overlays'],
  ['/dev/gallery/media', 'Carousel'],
  ['/dev/gallery/compose', 'Crop'],
  ['/dev/gallery/lists', 'Gallery'],
  ['/dev/gallery/social', 'Gallery'],
  ['/dev/gallery/tokens', 'Gallery'],
]

test('the description of the calls, the mailbox and the gallery exist in local mode', async () => {
  await local.services.mailer.send(MAIL)
  for (const [path, words] of PAGES) {
    const answer = await local.page(path)
    expect([path, answer.status]).toEqual([path, 200])
    expect(await answer.text(), path).toContain(words)
  }
})

test('in production their addresses lead home like any that does not exist', async () => {
  await production.services.mailer.send(MAIL)
  const elsewhere = await production.page('/no-such-page')
  expect(elsewhere.headers.get('Location')).toBe('/')
  for (const [path, words] of PAGES) {
    for (const asked of [path, path.toUpperCase().replace(/\?.*$/, '')]) {
      const answer = await production.page(asked)
      expect([asked, answer.status, answer.headers.get('Location')]).toEqual([asked, elsewhere.status, '/'])
      expect(await answer.text(), asked).not.toContain(words)
    }
  }
  for (const [path, words] of [
    ['/dev/gallery.data', 'Gallery'],
    ['/dev/gallery.data?_routes=routes%2Fdev.gallery', 'Gallery'],
    ['/openapi.json?_data=routes%2Fopenapi%5B.%5Djson', '"openapi"'],
  ] as const) {
    expect(await (await production.page(path)).text(), path).not.toContain(words)
  }
})

test('calls by other methods are turned away as well', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
    for (const path of ['/dev/mailbox', '/dev/mailbox.json', '/openapi.json']) {
      const text = await (await production.page(path, { method })).text()
      for (const words of [MAIL.subject, '"openapi"']) expect(text, `${method} ${path}`).not.toContain(words)
    }
  }
})

import { get } from 'node:http'
import type { AppLoadContext } from '@remix-run/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COOKIES } from '../../../app/routes/privacy/cookies.ts'
import { ICON_NAMES } from '../../../app/ui/picture/icon-names.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { iconSprite } from '../../../server/tools/build/icons.ts'
import { BUDGET_BYTES, pageSizes } from '../../../server/tools/build/page-sizes.ts'
import { buildPages } from '../../../server/tools/build/pages.ts'
import { ANN, startPages } from '../../support/pages.ts'

let visitor: HttpServer

beforeAll(async () => {
  await buildPages(process.cwd(), true)
  visitor = await startPages(null)
})
afterAll(() => visitor?.close())

test('any other path leads to the landing page', async () => {
  const answer = await fetch(`${visitor.url}/microbuzz/deep?x=1`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
})

test.each(['/', '/api/'])('a path of thousands of parts below %s keeps nobody waiting', async (above) => {
  const path = above + 'a/'.repeat(7_000)
  const answer = await fetch(visitor.url + path, { redirect: 'manual', signal: AbortSignal.timeout(3_000) })
  expect(answer.status).toBe(400)
})

test.each(['/privacy?a=%ff', '/privacy?%c3=a', '/privacy.data?a=%ed%a0%80', '/api/discover?vibe=%ff'])(
  'a query that is no UTF-8 is no request: %s',
  async (path) => {
    const answer = await fetch(visitor.url + path, { redirect: 'manual' })
    expect([path, answer.status]).toEqual([path, 400])
  },
)

test('a query of text, and one with a per cent sign that begins no escape, is one', async () => {
  for (const query of ['a=%C3%A9', 'a=100%', 'a=%zz', 'a=%EF%BB%BFx'])
    expect([query, (await fetch(`${visitor.url}/privacy?${query}`)).status]).toEqual([query, 200])
})

test('the gallery exists in local mode alone', async () => {
  const production = await startPages(null, { mode: 'production', publicUrl: 'http://letsbuzz.example' })
  const status = await new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port: production.port,
      path: '/dev/gallery',
      headers: { Host: 'letsbuzz.example' },
    }
    get(options, (answer) => resolve([answer.resume().statusCode, answer.headers.location]))
  })
  expect(status).toEqual([302, '/'])
  await production.close()
})

test('the privacy page names every cookie, what it is for and how long it is kept', async () => {
  const page = (await (await fetch(`${visitor.url}/privacy`)).text()).replaceAll('<!-- -->', '')
  for (const [name, { why, kept }] of Object.entries(COOKIES))
    expect(page).toContain(`<code>${name}</code> ${why}: ${kept}.`)
})

const routes = (text: string) => [...new Set([...text.matchAll(/"id":\s*"([\w$/.]+)"/g)].map(([, id]) => id))].sort()
async function askManifest(paths: readonly string[]): Promise<Response> {
  const page = await (await fetch(`${visitor.url}/privacy`)).text()
  const [, version = ''] = /"version":\s*"(\w+)"/.exec(page) ?? []
  const query = paths.map((path) => `&p=${path}`).join('')
  return fetch(`${visitor.url}/__manifest?version=${version}${query}`, { signal: AbortSignal.timeout(3_000) })
}

test('a page tells the browser of its own routes and those above it, and the manifest of any other', async () => {
  expect(routes(await (await fetch(`${visitor.url}/privacy`)).text())).toEqual([
    'root',
    'routes/_index',
    'routes/privacy',
  ])
  const manifest = await (await askManifest(['/chat/x'])).text()
  expect(routes(manifest)).toEqual(['root', 'routes/chat', 'routes/chat.$userId', 'routes/chat._index'])
})

test('the manifest is given for as many links as a page has', async () => {
  const people = Array.from({ length: 200 }, (_, n) => `/chat/${n}`)
  const answer = await askManifest(people)
  expect([answer.status, routes(await answer.text())]).toEqual([
    200,
    ['root', 'routes/chat', 'routes/chat.$userId', 'routes/chat._index'],
  ])
})

test.each([
  ['one path of thousands of parts', ['/a'.repeat(3_700)]],
  ['a path of thousands of parts beside another', ['/chat/x', '/a'.repeat(3_700)]],
  ['hundreds of paths', Array.from({ length: 400 }, (_, n) => `/${n}/b/c`)],
])('the manifest is refused for %s, and matches none of it', async (_what, paths) => {
  const answer = await askManifest(paths)
  expect([answer.status, await answer.text()]).toEqual([400, 'Invalid Request'])
})

test.each([
  ['GET', '/login?_data=routes%2Fdiscover', 400],
  ['GET', '/privacy?x=1&%5Fdata=root', 400],
  ['GET', '/api/health?_data=routes%2Fapi.%24', 400],
  ['POST', '/privacy', 405],
  ['POST', '/_root.data', 405],
])('%s of %s is refused with no line in the log', async (method, path, status) => {
  const reported: unknown[] = []
  const pages = await startPages(null, {}, (error) => reported.push(error))
  const answer = await fetch(pages.url + path, { method, headers: { Origin: pages.url } })
  expect([answer.status, reported]).toEqual([status, []])
  await pages.close()
})

test('the nonce is in no loader data', async () => {
  const answer = await fetch(`${visitor.url}/_root.data`)
  const nonce = (await fetch(visitor.url)).headers.get('content-security-policy')?.match(/nonce-([\w-]+)/)?.[1]
  expect(nonce).toBeTruthy()
  expect(await answer.text()).not.toMatch(/nonce/i)
})

test('a landing page greets a nameless member as there', async () => {
  const nameless = await startPages({ ...ANN, firstName: ' ' })
  const page = await (await fetch(nameless.url)).text()
  expect(page.replaceAll('<!-- -->', '')).toContain('Hi there')
  await nameless.close()
})

test.each([
  ['whose frame cannot be read', '/privacy', 'GET', { shell: () => Promise.reject(new Error('No rows.')) }],
  ['whose form fails', '/notifications', 'POST', { shell: async () => ANN }],
])('an error page %s takes nobody for a visitor', async (_whose, path, method, context) => {
  const reported: unknown[] = []
  const failing = await startPages(ANN, {
    contextFor: (_request, { nonce }) =>
      ({
        nonce,
        mode: 'local',
        now: () => new Date(),
        viewer: () => Promise.reject(new Error('No rows.')),
        carried: async () => null,
        carriedOver: () => false,
        ...context,
        reportError: (error: unknown) => reported.push(error),
      }) as unknown as AppLoadContext,
  })
  const answer = await fetch(failing.url + path, { method, headers: { Origin: failing.url } })
  const page = await answer.text()
  expect([answer.status, page.includes('Something went wrong on our side')]).toEqual([500, true])
  expect(page).toContain('aria-label="LetsBuzz, start page"')
  expect([page.includes('href="/login"'), page.includes('Buzz Mode')]).toEqual([false, false])
  expect(reported).not.toEqual([])
  await failing.close()
})

test('the splash shows once in a browser session', async () => {
  const first = await fetch(visitor.url)
  expect(await first.text()).toContain('class="splash"')
  const Cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await (await fetch(visitor.url, { headers: { Cookie } })).text()).not.toContain('class="splash"')
})

test('every icon in use is in the sprite, once', async () => {
  const sprite = await iconSprite()
  expect([...sprite.matchAll(/<symbol id="([^"]+)"/g)].map((found) => found[1])).toEqual([...ICON_NAMES])
})

test('no page sends more script than the budget', async () => {
  const sizes = await pageSizes('build/client')
  expect(sizes.length).toBeGreaterThan(3)
  expect(sizes.filter(({ bytes }) => bytes > BUDGET_BYTES)).toEqual([])
})

test('files of the build are kept for ever, others not', async () => {
  const page = await (await fetch(visitor.url)).text()
  const css = page.match(/\/assets\/shell-[^"]+\.css/)?.[0] ?? ''
  expect((await fetch(visitor.url + css)).headers.get('cache-control')).toContain('immutable')
  expect((await fetch(`${visitor.url}/favicon.svg`)).headers.get('cache-control')).not.toContain('immutable')
})

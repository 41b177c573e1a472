import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { holdNode } from '../../support/described/hold-node.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
})
afterAll(() => world.stop())

const NETWORK = '127.0.0.1'
const FROM_ELSEWHERE = `${NETWORK} from elsewhere`
beforeEach(async () => {
  for (const key of [NETWORK, FROM_ELSEWHERE]) await world.services.limits.reset('ANONYMOUS', key)
})

type Headers = Record<string, string>
/** Not by `fetch`, which sets `Sec-Fetch-Mode` itself. */
const ask = (path: string, headers: Headers = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { port, host } = new URL(world.url)
    const asked = request({ host: NETWORK, port, path, headers: { Host: host, ...headers } }, async (answer) => {
      const body = Buffer.concat(await answer.toArray())
      holdNode(`${world.url}${path}`, 'GET', answer, body).then(() => resolve(answer.statusCode), reject)
    })
    asked.on('error', reject).end()
  })

const AS_PICTURE = { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }
const AS_FRAME = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }
const AS_LINK = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
/** Before anybody follows the link, as a page may ask of its browser for dozens. */
const AHEAD = { ...AS_LINK, 'Sec-Purpose': 'prefetch;prerender' }
/** As a service worker asks anew. */
const AS_WORKER = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'empty' }
const NOTHING = `/media/${'d'.repeat(24)}`

test.each(['cross-site', 'same-site'])('what a %s page has in itself takes nothing of the visitors', async (site) => {
  const { take } = world.services.limits
  const from = (how: Headers) => ({ 'Sec-Fetch-Site': site, ...how })
  await take('ANONYMOUS', NETWORK, 117)
  for (const path of [NOTHING, `${NOTHING}?sig=x`, '/media/x'])
    for (const how of [AS_PICTURE, AS_FRAME, AHEAD]) expect(await ask(path, from(how)), path).toBe(403)
  for (const path of ['/login', '/login.data'])
    for (const how of [AS_PICTURE, AS_FRAME, AHEAD]) expect(await ask(path, from(how)), path).toBe(200)
  expect(await ask('/api/users/me', from(AS_PICTURE))).toBe(401)
  await take('ANONYMOUS', FROM_ELSEWHERE, 120)
  expect(await ask('/login', from(AS_PICTURE))).toBe(429)
  // The visitors' own three: a link that is followed, to a page and to a file, and a request without such headers.
  expect(await ask('/login', from(AS_LINK))).toBe(200)
  expect(await ask(NOTHING, from(AS_WORKER))).toBe(404)
  expect(await ask('/login')).toBe(200)
  expect(await ask('/login')).toBe(429)
})

test('pages of its own show a member their pictures; an address that is opened and a program get them, too', async () => {
  const ann = await world.member('Ann')
  const photo = (await world.services.media.list({ member: ann.id })).find(({ purpose }) => purpose === 'photo')!
  for (const how of [{ 'Sec-Fetch-Site': 'same-origin', ...AS_PICTURE }, { 'Sec-Fetch-Site': 'none', ...AS_LINK }, {}])
    expect(await ask(`/media/${photo.id}`, { Cookie: ann.cookie, ...how })).toBe(200)
})

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { type Outcome, PAGE_ROWS, type PageRow } from './matrix/page-rows.ts'
import { CALLERS, type Cast, canaryOf, castOf, RELATIONS, type Relation } from './matrix/relations.ts'

let world: World
let cast: Cast
let me: Person
let cells = 0

beforeAll(async () => {
  world = await startWorld()
  cast = await castOf(world, ['reader', 'document', 'data', 'leaver'])
  me = cast.callers.get('reader') as Person
}, 240_000)
afterAll(async () => {
  console.info(`${cells} cells of the matrix of pages`)
  await world?.stop()
})

/** A page as a document, as single fetch asks for it, and the one loader of its route alone. */
const WAYS = ['document', 'data', 'single'] as const
type Way = (typeof WAYS)[number]
type Seen = { outcome: string; text: string }

async function visit(row: PageRow, way: Way, cookie: string | null, path: string, post = false): Promise<Seen> {
  const alone = way === 'single' ? `?_routes=${encodeURIComponent(row.route)}` : ''
  const dataPath = path === '/' ? '/_root.data' : `${path}.data`
  const response = await fetch(`${world.url}${way === 'document' ? path : dataPath}${post ? '' : alone}`, {
    redirect: 'manual',
    headers: {
      ...(cookie && { Cookie: cookie }),
      ...(post && { Origin: world.url, 'Content-Type': 'application/x-www-form-urlencoded' }),
    },
    ...(post && { method: 'POST', body: '' }),
  })
  cells += 1
  const text = await response.text()
  return { outcome: outcomeOf(response, text), text }
}

/** Single fetch puts redirects into its data. The command that an address names is another each time. */
function outcomeOf(response: Response, text: string): string {
  const to = response.headers.get('Location') ?? /"redirect","([^"]+)"/.exec(text)?.[1]
  if (response.status === 302 || response.status === 202)
    return `302 ${to?.replace(/&command=[^&]+$/, '&command=:any')}`
  return String(response.status)
}

const cookieOf = (token: string | null) => token && `${SESSION_COOKIE}=${token}`
const cookies = () => [
  ...CALLERS.map((kind) => [kind, cookieOf(cast.tokens[kind])] as const),
  ['member', me.cookie] as const,
]
const fill = (text: string, id: string) => text.replace(':id', id)

function differs(cell: string, expected: Outcome, { outcome, text }: Seen): string | null {
  return outcome === expected
    ? null
    : `${cell}: expected ${expected}, got ${outcome} ${outcome === '500' ? text.slice(0, 200) : ''}`
}

describe.each(PAGE_ROWS.map((row) => [row.route, row] as const))('%s', (route, row) => {
  test('meets each visitor as it must', async () => {
    const wrong: (string | null)[] = []
    const to = fill(row.path, cast.idOf('matched', me))
    for (const [who, cookie] of cookies()) {
      for (const way of WAYS) wrong.push(differs(`GET ${who} ${way}`, row.get[who], await visit(row, way, cookie, to)))
    }
    expect(wrong.filter(Boolean)).toEqual([])
  })

  if (row.targets)
    test('shows a member what the target is to them, and nobody else by name', async () => {
      const wrong: (string | null)[] = []
      for (const relation of RELATIONS) {
        const id = cast.idOf(relation, me)
        const expected = fill(row.targets?.[relation] ?? row.targets?.default ?? '', id) as Outcome
        for (const way of WAYS) {
          const seen = await visit(row, way, me.cookie, fill(row.path, id))
          wrong.push(differs(`${relation} ${way}`, expected, seen))
          if (!row.names?.includes(relation) && seen.text.includes(canaryOf(relation)))
            wrong.push(`${relation} ${way}: a private word got out`)
        }
      }
      expect(wrong.filter(Boolean)).toEqual([])
    })

  if (row.post)
    test('takes an empty form from each visitor as it must', async () => {
      const wrong: (string | null)[] = []
      const id = cast.idOf('matched', me)
      const to = fill(row.path, id)
      // Signing out would end the sessions that the other rows need.
      const signsOut = route === 'routes/signout'
      for (const way of ['document', 'data'] as const) {
        const writer = cast.callers.get(signsOut ? 'leaver' : way) as Person
        const others = signsOut ? [] : cookies().slice(0, -1)
        for (const [who, cookie] of [...others, ['member', writer.cookie] as const]) {
          const seen = await visit(row, way, cookie, to, true)
          const expected = fill(row.post?.[who] ?? '404', id) as Outcome
          wrong.push(differs(`POST ${who} ${way}`, expected, seen))
        }
      }
      expect(wrong.filter(Boolean)).toEqual([])
    })
})

describe('a picture', () => {
  const SHARP: readonly Relation[] = ['self', 'matched', 'hiddenMatched']
  const BLURRED: readonly Relation[] = [
    ...SHARP,
    'likedByMe',
    'likedMe',
    'skipped',
    'stranger',
    'strangerLimited',
    'strangerFull',
  ]

  test('is served sharp, blurred or not at all by what its owner is to the viewer', async () => {
    const wrong: string[] = []
    for (const relation of RELATIONS.filter((one) => one !== 'unknown')) {
      const owner = relation === 'self' ? me.id : cast.idOf(relation, me)
      const files = await world.core.storage.app.selectFrom('media').selectAll().where('owner', '=', owner).execute()
      for (const { id, original_id } of files) {
        const expected = (original_id ? BLURRED : SHARP).includes(relation) ? 200 : 404
        const ask = (headers: Record<string, string> = {}) =>
          fetch(`${world.url}/media/${id}`, { headers: { Cookie: me.cookie, ...headers } })
        const { status } = await ask()
        cells += 1
        const name = `${relation} ${original_id ? 'blurred' : 'sharp'}`
        if (status !== expected) wrong.push(`${name}: ${status}, not ${expected}`)
        // Who had it once and may not see it any more learns nothing either.
        const again = await ask({ 'If-None-Match': `"${id}"` })
        if (again.status !== (expected === 200 ? 304 : 404)) wrong.push(`${name}, known: ${again.status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('is not there for visitors, old tokens and closed accounts', async () => {
    const file = await world.core.storage.app
      .selectFrom('media')
      .select('id')
      .where('owner', '=', cast.idOf('strangerFull', me))
      .execute()
    for (const kind of CALLERS) {
      const cookie = cookieOf(cast.tokens[kind])
      for (const { id } of file) {
        const response = await fetch(`${world.url}/media/${id}`, { headers: { ...(cookie && { Cookie: cookie }) } })
        cells += 1
        expect([kind, response.status, await response.text()]).toEqual([kind, 404, 'Not found'])
      }
    }
  })
})

test('every route of a page has a row, and no row is without a route', async () => {
  const file = resolve(import.meta.dirname, '../../build/server/index.js')
  const build: ServerBuild = await import(pathToFileURL(file).href)
  const routes = Object.keys(build.routes).filter((id) => !id.startsWith('routes/api.'))
  expect(PAGE_ROWS.map(({ route }) => route).sort()).toEqual(routes.sort())
  const actions = routes.filter((id) => build.routes[id]?.module.action)
  expect(
    PAGE_ROWS.filter(({ post }) => post)
      .map(({ route }) => route)
      .sort(),
  ).toEqual(actions.sort())
})

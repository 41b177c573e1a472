import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { PAGE_ROWS } from '../matrix/page-rows.ts'
import { hostileText, pick, randomFrom, type Source } from './values.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 400)
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101)
const AT_ONCE = 6

let world: World
let people: Person[]
const statuses: Record<number, number> = {}
beforeAll(async () => {
  world = await startWorld()
  const location = { lat: 47.07, lng: 15.44 }
  people = [await world.join('Ann', { location }), await world.join('Bea', { location }), await world.join('Cat')]
  const [ann, bea] = people as [Person, Person]
  await world.match(ann, bea)
  await world.settled()
  await world.sendMessage(ann, bea, 'Hello', 'message-1')
  await world.settled()
}, 120_000)
afterAll(() => world?.stop())

/** Nobody of those who ask would be left. */
const ENDS = new Set(['/signout', '/settings/delete'])

/** The fields of the forms of a page, as it shows them: names and values. */
type Page = { path: string; fields: readonly (readonly [string, string])[] }

const TAG = /<(?:input|button|select|textarea)\b[^>]*>/g
const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

async function pageAt(path: string, who: Person): Promise<Page> {
  const html = await (await world.page(path, { as: who })).text()
  const fields = (html.match(TAG) ?? []).flatMap((tag) => {
    const name = attribute(tag, 'name')
    return name ? [[name, attribute(tag, 'value') ?? ''] as const] : []
  })
  return { path, fields }
}

/** Some of the fields, some of them with other values, some twice, and one that nobody asked for. */
function fieldsFor({ fields }: Page, source: Source): [string, string][] {
  const value = (stored: string) =>
    source.random() < 0.5 ? stored : source.random() < 0.3 ? pick(source, source.ids) : hostileText(source)
  const some = fields
    .filter(() => source.random() < 0.8)
    .map(([name, stored]): [string, string] => [name, value(stored)])
  const extra: [string, string] = [
    pick(source, ['__proto__', 'intent', 'live', 'constructor', '']),
    hostileText(source),
  ]
  return source.random() < 0.3 ? [...some, extra, ...some.slice(0, 1)] : some
}

function bodyFor(page: Page, source: Source): RequestInit {
  const fields = fieldsFor(page, source)
  if (source.random() < 0.3) {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    form.append(pick(source, ['file', 'voice', 'other']), new Blob([hostileText(source)]), 'a.jpg')
    return { method: 'POST', body: form }
  }
  return { method: 'POST', body: new URLSearchParams(fields) }
}

/** What is wrong with the answer; null where nothing is. */
async function shoot(pages: readonly Page[], source: Source): Promise<string | null> {
  const page = pick(source, pages)
  const posts = source.random() < 0.6 && !ENDS.has(page.path)
  const asData = source.random() < 0.4 && page.path !== '/'
  const search =
    source.random() < 0.3 ? `?${new URLSearchParams(fieldsFor(page, source)).toString().slice(0, 2_000)}` : ''
  const path = `${page.path}${asData ? '.data' : ''}${search}`
  const as = pick(source, [...people, null])
  const init = posts ? bodyFor(page, source) : { method: 'GET' }
  const headers = { Origin: world.url, ...(as && { Cookie: as.cookie }) }
  const response = await fetch(world.url + path, { ...init, headers, redirect: 'manual' })
  const text = await response.text()
  statuses[response.status] = (statuses[response.status] ?? 0) + 1
  return response.status < 500
    ? null
    : `${init.method} ${path.slice(0, 300)} ${String(init.body).slice(0, 300)} -> ${text.slice(0, 200)}`
}

test(
  `no page and no form brings the product down (seed ${SEED})`,
  async () => {
    const random = randomFrom(SEED)
    const [ann, bea] = people as [Person, Person]
    const unknown = '0123456789abcdefghijklmn'
    const source: Source = { random, ids: [...people.map(({ id }) => id), unknown, 'message-1'] }
    const paths = [...new Set(PAGE_ROWS.map(({ path }) => path.replace(':id', bea.id)))]
    const pages = await Promise.all(paths.map((path) => pageAt(path, ann)))
    expect(pages.filter(({ fields }) => fields.length > 0).length).toBeGreaterThan(10)
    const wrong: string[] = []
    let left = REQUESTS
    const worker = async () => {
      while (left-- > 0) {
        const problem = await shoot(pages, source)
        if (problem) wrong.push(problem)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    expect(wrong).toEqual([])
    console.info(`${REQUESTS} requests by status: ${JSON.stringify(statuses)}`)
  },
  120_000 + REQUESTS * 80,
)

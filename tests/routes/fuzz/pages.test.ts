import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../support/world-people.ts'
import { PAGE_ROWS } from '../matrix/page-rows.ts'
import { hostileText, pick, type Source } from './values.ts'
import { type Fuzzed, fire, type Judged, SEED, startFuzzed, volley } from './volley.ts'

const PAGES = volley({ requests: 400, atOnce: 6 })

let fuzzed: Fuzzed
beforeAll(async () => {
  fuzzed = await startFuzzed()
}, 120_000)
afterAll(() => fuzzed?.world.stop())

/** Nobody of those who ask would be left. */
const ENDS = new Set(['/signout', '/settings/delete'])

/** The fields of the forms of a page, as it shows them: names and values. */
type Page = { path: string; fields: readonly (readonly [string, string])[] }

const TAG = /<(?:input|button|select|textarea)\b[^>]*>/g
const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

async function pageAt(path: string, who: Person): Promise<Page> {
  const html = await (await fuzzed.world.page(path, { as: who })).text()
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

async function shoot(pages: readonly Page[], { world, people, source }: Fuzzed): Promise<Judged> {
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
  const { status } = response
  if (status < 500) return { status }
  const wrong = `${init.method} ${path.slice(0, 300)} ${String(init.body).slice(0, 300)} -> ${text.slice(0, 200)}`
  return { status, wrong }
}

test(
  `no page and no form brings the product down (seed ${SEED})`,
  async () => {
    const [ann, bea] = fuzzed.people
    const paths = [...new Set(PAGE_ROWS.map(({ path }) => path.replace(':id', bea.id)))]
    const pages = await Promise.all(paths.map((path) => pageAt(path, ann)))
    expect(pages.filter(({ fields }) => fields.length > 0).length).toBeGreaterThan(10)
    await fire(PAGES, () => shoot(pages, fuzzed))
  },
  PAGES.limitMs,
)

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../support/world-people.ts'
import { PAGE_ROWS } from '../matrix/page-rows.ts'
import { chance, hostileText, mostly } from './values.ts'
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

type Pair = [name: string, value: string]

/** Some of the fields, some of them with other values, some twice, and one that nobody asked for. */
function fieldsFor({ fields }: Page): fc.Arbitrary<Pair[]> {
  const other = mostly(30, fc.constantFrom(...fuzzed.ids), hostileText)
  const some = fields.map(([name, stored]) =>
    fc
      .tuple(chance(80), mostly(50, fc.constant(stored), other))
      .map(([is, value]): Pair[] => (is ? [[name, value]] : [])),
  )
  const extra = fc.tuple(fc.constantFrom('__proto__', 'intent', 'live', 'constructor', ''), hostileText)
  return fc.tuple(fc.tuple(...some), extra, chance(30)).map(([all, more, twice]) => {
    const pairs = all.flat()
    return twice ? [...pairs, more, ...pairs.slice(0, 1)] : pairs
  })
}

const FILE = fc.tuple(fc.constantFrom('file', 'voice', 'other'), hostileText)

function bodyFor(page: Page): fc.Arbitrary<RequestInit['body']> {
  const form = fc.tuple(fieldsFor(page), FILE).map(([fields, [name, words]]) => {
    const form = new FormData()
    for (const [field, value] of fields) form.append(field, value)
    form.append(name, new Blob([words]), 'a.jpg')
    return form
  })
  return mostly(
    30,
    form,
    fieldsFor(page).map((fields) => new URLSearchParams(fields)),
  )
}

type Shot = { path: string; init: RequestInit }

function shotsOf(page: Page): fc.Arbitrary<Shot> {
  const body = ENDS.has(page.path) ? fc.constant(null) : mostly(60, bodyFor(page), fc.constant(null))
  const data = page.path === '/' ? fc.constant(false) : chance(40)
  const asked = fieldsFor(page).map((fields) => `?${new URLSearchParams(fields).toString().slice(0, 2_000)}`)
  const search = mostly(30, asked, fc.constant(''))
  const as = fc.constantFrom(...fuzzed.people, null)
  return fc.record({ body, data, search, as }).map(({ body, data, search, as }) => ({
    path: `${page.path}${data ? '.data' : ''}${search}`,
    init: {
      ...(body ? { method: 'POST', body } : { method: 'GET' }),
      headers: { Origin: fuzzed.world.url, ...(as && { Cookie: as.cookie }) },
    },
  }))
}

async function shoot({ path, init }: Shot): Promise<Judged> {
  const response = await fetch(fuzzed.world.url + path, { ...init, redirect: 'manual' })
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
    await fire(PAGES, fc.oneof(...pages.map(shotsOf)), shoot)
  },
  PAGES.limitMs,
)

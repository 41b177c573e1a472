import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proofCookie } from '../../../app/request/session-cookie.server.ts'
import { memberDecider } from '../../../domain/identity/member.ts'
import { ROLES } from '../../../domain/identity/roles.ts'
import { newcomer } from '../../support/newcomers.ts'
import type { Person } from '../../support/world-people.ts'
import { PAGE_ROWS } from '../matrix/page-rows.ts'
import { FORMS, type Form, unknownForms } from './forms.ts'
import { chance, hostileText, mostly } from './values.ts'
import { type Fuzzed, fire, type Judged, SEED, startFuzzed, volley } from './volley.ts'

const PAGES = volley({ requests: 250, atOnce: 6 })

let fuzzed: Fuzzed
let visitor: Pick<Person, 'cookie'>
beforeAll(async () => {
  fuzzed = await startFuzzed()
  const { world, people } = fuzzed
  visitor = { cookie: (await proofCookie((await newcomer(world)).signupToken)).replace(/;.*/, '') }
  for (const role of ROLES) {
    const command = { type: 'GrantRole', member: people[2].id, role, by: 'admin:test', at: new Date() } as const
    await world.core.dispatch(memberDecider, command, { commandId: randomUUID(), actor: 'admin:test' })
  }
  await world.settled()
}, 120_000)
afterAll(() => fuzzed?.world.stop())

/** Their forms end the session or the account of whoever sends them: somebody who has come for that. */
const ENDS = new Set(['/signout', '/settings/delete'])
type Who = Pick<Person, 'cookie'> | 'passing' | null

/** Who is shown the page and may send its forms: with a proof, without a session, with a role, or any member. */
function ownerOf(path: string): Pick<Person, 'cookie'> | null {
  if (/^\/register/.test(path)) return visitor
  if (/^\/(login|signup|forgot-password)/.test(path)) return null
  return /^\/(audit|admin)/.test(path) ? fuzzed.people[2] : fuzzed.people[0]
}

/** An address, and the fields of the forms of its page, as it shows them: names and values. */
type Page = { path: string; fields: readonly (readonly [string, string])[] }
const addressOf = (path: string) => path.replace(':id', fuzzed.people[1].id)

const TAG = /<(?:input|button|select|textarea)\b[^>]*>/g
const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

async function pageAt(path: string): Promise<Page> {
  const shown = addressOf(path).replace('/register/draft', '/register')
  const who = ownerOf(path)
  const headers = who ? { Cookie: who.cookie } : undefined
  const html = await (await fetch(fuzzed.world.url + shown, { ...(headers && { headers }) })).text()
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

/** In either encoding; `named`: by what the form differs from others of the page. */
function bodyFor(page: Page, named: Form['named']): fc.Arbitrary<Body> {
  const others = page.fields.filter(([name]) => name !== named?.[0])
  const sent = fieldsFor({ ...page, fields: others }).map((pairs) => (named ? [[...named] as Pair, ...pairs] : pairs))
  const form = fc.tuple(sent, FILE).map(([fields, [name, words]]) => {
    const form = new FormData()
    for (const [field, value] of fields) form.append(field, value)
    form.append(name, new Blob([words]), 'a.jpg')
    return form
  })
  return mostly(
    30,
    form,
    sent.map((fields) => new URLSearchParams(fields)),
  )
}

/** `form`: null for a page that is read. */
type Shot = { page: Page; form: Form | null; path: string; init: RequestInit; as: Who }
type Sending = { form: Form | null; body: Body; as: Who }
type Body = NonNullable<RequestInit['body']> | null

/** A page with a query of its fields, or what sends a form of it; both also as script asks for them. */
function shotOf(page: Page, sending: fc.Arbitrary<Sending>): fc.Arbitrary<Shot> {
  const [pathname = '', query] = addressOf(page.path).split('?')
  const data = pathname === '/' ? fc.constant(false) : chance(40)
  const asked = fieldsFor(page).map((fields) => new URLSearchParams(fields).toString().slice(0, 2_000))
  const search = mostly(30, asked, fc.constant('')).map((more) => [query, more].filter(Boolean).join('&'))
  return fc.record({ sending, data, search }).map(({ sending: { body, form, as }, data, search }) => ({
    page,
    form,
    path: `${pathname}${data ? '.data' : ''}${search && `?${search}`}`,
    init: form ? { method: 'POST', body } : { method: 'GET' },
    as,
  }))
}

const reading = (page: Page, as: readonly Who[]): fc.Arbitrary<Shot> =>
  shotOf(page, fc.record({ form: fc.constant(null), body: fc.constant(null), as: fc.constantFrom(...as) }))

const writing = (page: Page, form: Form, as: readonly Who[]): fc.Arbitrary<Shot> =>
  shotOf(page, fc.record({ form: fc.constant(form), body: bodyFor(page, form.named), as: fc.constantFrom(...as) }))

async function shoot({ path, init, as }: Shot): Promise<Judged> {
  const { world } = fuzzed
  const who = as === 'passing' ? await world.join('Pia') : as
  const headers = { Origin: world.url, ...(who && { Cookie: who.cookie }) }
  const response = await fetch(world.url + path, { ...init, headers, redirect: 'manual' })
  const text = await response.text()
  const { status } = response
  if (status < 500) return { status }
  const wrong = `${init.method} ${path.slice(0, 300)} ${String(init.body).slice(0, 300)} -> ${text.slice(0, 200)}`
  return { status, wrong }
}

test('every form that the sources of the pages name is among those that are sent', () => {
  expect(unknownForms()).toEqual([])
})

/** Of what somebody sends whose page it is. */
function nameOf({ page, form, as }: Pick<Shot, 'page' | 'form' | 'as'>): string | null {
  const isOwner = as === ownerOf(page.path) || as === 'passing'
  return isOwner ? `${form ? 'POST' : 'GET'} ${page.path} ${form?.named?.join(' ') ?? ''}` : null
}

test(
  `no page and no form brings the product down (seed ${SEED})`,
  async () => {
    const paths = [...new Set([...PAGE_ROWS, ...FORMS].map(({ path }) => path))]
    const pages = new Map(await Promise.all(paths.map(async (path) => [path, await pageAt(path)] as const)))
    expect([...pages.values()].filter(({ fields }) => fields.length > 0).length).toBeGreaterThan(10)
    const at = (path: string) => pages.get(path) as Page
    const senderOf = (path: string): Who => (ENDS.has(path) ? 'passing' : ownerOf(path))
    const anybody = [...fuzzed.people, visitor, null]
    const musts = [
      ...paths.map((path) => reading(at(path), [ownerOf(path)])),
      ...FORMS.map((form) => writing(at(form.path), form, [senderOf(form.path)])),
    ]
    const others = [
      ...paths.map((path) => reading(at(path), anybody)),
      ...FORMS.filter(({ path }) => !ENDS.has(path)).map((form) => writing(at(form.path), form, anybody)),
    ]
    const sent = new Set<string | null>()
    await fire(PAGES, { musts, others: fc.oneof(...others) }, (shot) => {
      sent.add(nameOf(shot))
      return shoot(shot)
    })
    const wanted = [
      ...paths.map((path) => ({ page: at(path), form: null, as: ownerOf(path) })),
      ...FORMS.map((form) => ({ page: at(form.path), form, as: senderOf(form.path) })),
    ]
    expect(wanted.map(nameOf).filter((name) => !sent.has(name))).toEqual([])
  },
  PAGES.limitMs,
)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { END, field } from '../../services/support/forms.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let [ann, bea, cid]: Person[] = []
beforeAll(async () => {
  world = await startWorld()
  ;[ann, bea, cid] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cid')]
  if (!bea || !cid) return
  await world.match(bea, cid)
  await world.settled()
}, 120_000)
afterAll(() => world?.stop())

const OTHER = 'This page was opened as another member. Nothing was sent.'
const WORDS = 'words of Ann alone'
const idOf = (person: Person | undefined) => String(person?.id)
type Sent = { path: string; body: URLSearchParams | Uint8Array<ArrayBuffer>; type?: string }
const send = ({ path, body, type }: Sent, as = bea) =>
  world.page(path, { ...(as && { as }), method: 'POST', body, ...(type && { headers: { 'Content-Type': type } }) })
const plain = (fields: Record<string, string>) =>
  new URLSearchParams({ as: idOf(ann), commandId: world.newCommand(), ...fields })
const head = () => world.core.log.head()

/** As Ann's page sends it, in one of the encodings of a form. */
const FORMS: Readonly<Record<string, () => Sent>> = {
  'a section of the profile': () => ({ path: '/profile/edit', body: plain({ section: 'about', bio: WORDS }) }),
  'a report': () => ({ path: `/report/${idOf(cid)}`, body: plain({ words: WORDS }) }),
  'a message': () => ({ path: `/chat/${idOf(cid)}`, body: plain({ text: WORDS, id: world.newCommand() }) }),
  'a decision': () => ({ path: '/discover', body: plain({ intent: 'buzz', to: idOf(ann) }) }),
  'a block': () => ({ path: `/block/${idOf(cid)}`, body: plain({ intent: 'confirm' }) }),
  'a form with files': () => ({
    path: '/profile/edit',
    body: new Uint8Array(Buffer.concat([field('as', idOf(ann)), field('section', 'about'), field('bio', WORDS), END])),
    type: 'multipart/form-data; boundary=b',
  }),
  'a form that is too long': () => ({
    path: '/profile/edit',
    body: plain({ section: 'about', bio: WORDS + 'x'.repeat(70_000) }),
  }),
}

test.each(Object.keys(FORMS))(
  '%s of another member’s page is refused, does nothing and shows nothing',
  async (name) => {
    const before = await head()
    for (const suffix of ['', '.data']) {
      const form = FORMS[name]?.()
      if (!form) throw new Error(name)
      const answer = await send({ ...form, path: form.path + suffix })
      const text = await answer.text()
      expect([answer.status, text.includes(OTHER), text.includes(WORDS)]).toEqual([409, true, false])
    }
    expect(await head()).toBe(before)
  },
)

test.each(['report', 'block', 'unmatch'])(
  'a %s about oneself by another member’s page says so, without script too',
  async (page) => {
    for (const suffix of ['', '.data']) {
      const body = plain({ words: WORDS, intent: 'confirm' })
      const answer = await send({ path: `/${page}/${idOf(bea)}${suffix}`, body })
      const text = await answer.text()
      expect([answer.status, text.includes(OTHER), text.includes(WORDS)]).toEqual([409, true, false])
      if (suffix === '') expect(text).toContain('href="/profile"')
    }
  },
)

test('the page that answers it without script is that of whoever is signed in', async () => {
  const answer = await send({ path: '/profile/edit', body: plain({ section: 'about', bio: WORDS }) })
  expect(await answer.text()).toContain(`name="as" value="${idOf(bea)}"`)
})

test('the same form of one’s own page is done', async () => {
  const own = plain({ section: 'about', bio: 'Words of Bea', as: idOf(bea) })
  expect((await send({ path: '/profile/edit', body: own })).status).toBe(302)
})

/** Of members alone. The frame's own forms, a sign-out and the colours, are anybody's. */
const ANYBODYS = /action="\/(signout|theme)"/
const PAGES = () => [
  ...['about', 'interests', 'hobbies', 'tastes', 'voice', 'facts', 'place', 'name', 'phone', 'looking', 'meet'].map(
    (section) => `/profile/edit?section=${section}`,
  ),
  ...['mode', 'blur', 'audience'].map((section) => `/profile/privacy?section=${section}`),
  '/profile/gallery',
  '/discover',
  '/notifications',
  '/settings/location',
  '/settings/delete',
  '/settings/delete?confirm=deactivate',
  '/settings/delete?confirm=delete',
  '/settings/export',
  ...['report', 'chat', 'match', 'block', 'unmatch'].map((page) => `/${page}/${idOf(cid)}`),
  ...['viewProfile', 'view', 'preview'].map((page) => `/${page}/${idOf(ann)}`),
]

/** By the first two that have a name a browser knows a form again. */
const firstFields = (form: string) =>
  [...form.matchAll(/<(?:input|select|textarea)\b[^>]*?\sname="([^"]+)"/g)].slice(0, 2).map(([, name]) => name)

test('each form of a member’s page names the member, and is known again as theirs', async () => {
  const bare: string[] = []
  let forms = 0
  for (const path of PAGES()) {
    const answer = await world.page(path, { ...(bea && { as: bea }) })
    const html = await answer.text()
    for (const [form] of html.matchAll(/<form\b[^>]*method="post".*?<\/form>/gs)) {
      if (ANYBODYS.test(form)) continue
      forms++
      const isKnown = firstFields(form).includes(`as-${idOf(bea)}`)
      if (!isKnown || !form.includes(`name="as" value="${idOf(bea)}"`)) bare.push(`${path}: ${form.slice(0, 160)}`)
    }
  }
  expect(bare).toEqual([])
  expect(forms).toBeGreaterThan(25)
})

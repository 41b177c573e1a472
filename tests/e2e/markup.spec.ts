import type { Page } from 'playwright'
import { BIO_MAX, CITY_MAX, CUSTOM_INTEREST_MAX, NAME_MAX } from '../../domain/profile/limits.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'
import { CORPUS, MARK } from './pages/markup.ts'

/** `MARKUP=600` tries all of them. */
const STRINGS = Number(process.env.MARKUP ?? 16)
/** So many are looked at in the browser's own pages, which take a while. */
const VISITED = 2
const everyNth = (count: number) => {
  const step = Math.max(1, Math.floor(CORPUS.length / count))
  return CORPUS.filter((_, at) => at % step === 0)
}
const SANTIAGO = { lat: -33.45, lng: -70.66 }
const short = (text: string, most: number) => [...text].slice(0, most).join('')

/** A match of the reader's who wrote the string into every field that takes it, whole where it fits. */
async function writer(world: World, text: string, reader: Person): Promise<Person> {
  const who = await world.member(short(text, NAME_MAX), { lastName: short(text, NAME_MAX), location: SANTIAGO })
  const chips = [short(text, CUSTOM_INTEREST_MAX)]
  const tastes = { interests: chips, hobbies: chips, likes: chips, dislikes: chips }
  await world.edit(who, { bio: short(text, BIO_MAX), city: short(text, CITY_MAX), visibilityMode: 'full', ...tastes })
  await world.match(who, reader)
  return who
}

async function writersOf(world: World, strings: readonly string[], reader: Person): Promise<Map<string, Person>> {
  const writers = new Map<string, Person>()
  for (const text of strings) writers.set(text, await writer(world, text, reader))
  await world.settled()
  for (const [text, who] of writers) await world.sendMessage(who, reader, text)
  await world.settled()
  return writers
}

const pagesOn = ({ id }: Person) => [
  ...['viewProfile', 'view', 'preview', 'chat', 'match', 'report', 'block', 'unmatch'].map((page) => `/${page}/${id}`),
  '/chat',
  '/notifications',
]

/** Elements that a string became, and addresses that run: of a page as the server writes it, or of the one that is open. */
function madeBy(page: Page, path: string | null): Promise<string[]> {
  return page.evaluate(
    async ([address, mark]) => {
      const html = address && (await fetch(address).then((answer) => answer.text()))
      const whole = html ? new DOMParser().parseFromString(html, 'text/html') : document
      const wrong = `[${mark}], [href^="javascript:" i], [action^="javascript:" i], base`
      return [...whole.querySelectorAll(wrong)].map((one) => one.outerHTML)
    },
    [path, MARK] as const,
  )
}

test('markup in every field is text in every page that the server writes', async ({ world, open }) => {
  test.setTimeout(60_000 + STRINGS * 3_000)
  const reader = await world.member('Reader', { location: SANTIAGO })
  const writers = await writersOf(world, everyNth(STRINGS), reader)
  const page = await open({ as: reader })
  await page.goto('/')
  for (const [text, who] of writers)
    for (const path of pagesOn(who)) expect(await madeBy(page, path), `${path}: ${text}`).toEqual([])
  const asked = encodeURIComponent('"><img data-m=1 src=x onerror=hit()>')
  for (const path of [`/chat?q=${asked}`, `/login?redirectTo=javascript:hit()`, `/discover?vibe=${asked}`])
    expect(await madeBy(page, path), path).toEqual([])
})

test('markup in every field runs nowhere, and stays text once the page is awake', async ({ world, open }) => {
  const reader = await world.member('Reader', { location: SANTIAGO })
  const writers = await writersOf(world, everyNth(VISITED), reader)
  const page = await open({ as: reader })
  const hits: string[] = []
  await page.context().exposeFunction('hit', () => hits.push('ran'))
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => hits.push('dialog')))
  for (const [text, who] of writers) {
    for (const path of pagesOn(who)) {
      await page.goto(path)
      expect([...hits, ...(await madeBy(page, null))], `${path}: ${text}`).toEqual([])
    }
  }
})

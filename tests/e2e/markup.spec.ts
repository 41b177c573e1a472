import type { Page } from 'playwright'
import { memberDecider } from '../../domain/identity/member.ts'
import { MESSAGE_MAX } from '../../domain/pair/limits.ts'
import {
  BIO_MAX,
  CITY_MAX,
  CUSTOM_INTEREST_MAX,
  MAX_HOBBIES,
  MAX_INTERESTS,
  NAME_MAX,
} from '../../domain/profile/limits.ts'
import { accountSuspendedMail, resetCodeMail, signupCodeMail } from '../../services/mails.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'
import { CORPUS, MARK } from './pages/markup.ts'

/** `MARKUP=600` tries all of them. */
const STRINGS = Number(process.env.MARKUP ?? 16)
/** So many are looked at in the browser's own pages, which take a while. */
const VISITED = Number(process.env.MARKUP ?? 2)
const everyNth = (count: number) => {
  const step = Math.max(1, Math.floor(CORPUS.length / count))
  return CORPUS.filter((_, at) => at % step === 0)
}
/** The first cards of a deck. */
const CARDS = 3
const SANTIAGO = { lat: -33.45, lng: -70.66 }
const short = (text: string, most: number) => [...text].slice(0, most).join('')

/** So many of the strings, this one first, as fit into one value. */
function packed(text: string, most: number): string {
  const from = CORPUS.indexOf(text)
  const inTurn = [...CORPUS.slice(from), ...CORPUS.slice(0, from)]
  let value = short(text, most)
  for (const next of inTurn.slice(1)) {
    if ([...value, ...next].length >= most) break
    value += ` ${next}`
  }
  return value
}

/** The string and those after it, one for each of so many chips, none of which is another one in other letters. */
function chipsOf(text: string, count: number): string[] {
  const chips = new Map<string, string>()
  for (let at = CORPUS.indexOf(text); chips.size < count; at++) {
    const chip = short(CORPUS[at % CORPUS.length] as string, CUSTOM_INTEREST_MAX).trim()
    if (!chips.has(chip.toLowerCase())) chips.set(chip.toLowerCase(), chip)
  }
  return [...chips.values()]
}

/** A match of the reader's who wrote the string into every field that takes it, whole where it fits, and others beside it. */
async function writer(world: World, text: string, reader: Person): Promise<Person> {
  const who = await world.member(short(text, NAME_MAX), { lastName: short(text, NAME_MAX), location: SANTIAGO })
  const [chips, hobbies] = [chipsOf(text, MAX_INTERESTS), chipsOf(text, MAX_HOBBIES)]
  const tastes = { interests: chips, hobbies, likes: chips.slice(0, 1), dislikes: chips.slice(0, 1) }
  await world.edit(who, { bio: packed(text, BIO_MAX), city: short(text, CITY_MAX), visibilityMode: 'full', ...tastes })
  await world.match(who, reader)
  return who
}

async function writersOf(world: World, strings: readonly string[], reader: Person): Promise<Map<string, Person>> {
  const writers = new Map<string, Person>()
  for (const text of strings) writers.set(text, await writer(world, text, reader))
  await world.settled()
  for (const [text, who] of writers) await world.sendMessage(who, reader, packed(text, MESSAGE_MAX))
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

/** What ran, of whatever page: a call of `hit`, or a dialog. */
async function watched(page: Page): Promise<string[]> {
  const hits: string[] = []
  await page.context().exposeFunction('hit', () => hits.push('ran'))
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => hits.push('dialog')))
  return hits
}

/** As somebody who wrote it sees it, as a stranger comes upon it, and as an auditor reads it. */
const OWN = ['/profile', '/profile/edit', '/profile/privacy', '/profile/seen/stranger', '/profile/seen/match']
const auditOf = ({ id }: Person) => [`/audit/${id}`, `/audit/${id}/state?stream=profile-${id}`]

test('markup in every field runs nowhere, and stays text once the page is awake', async ({ world, open }) => {
  test.setTimeout(60_000 + VISITED * 60_000)
  const reader = await world.member('Reader', { location: SANTIAGO })
  const auditor = await world.member('Auditor')
  const role = { type: 'GrantRole', member: auditor.id, role: 'auditor', by: 'admin:test', at: new Date() } as const
  await world.context.dispatch(memberDecider, role, { commandId: world.newCommand(), actor: 'admin:test' })
  const writers = await writersOf(world, everyNth(VISITED), reader)
  let visits = 0
  const look = async (as: Person, some: Iterable<[string, Person]>, paths: (who: Person) => readonly string[]) => {
    const page = await open({ as })
    const hits = await watched(page)
    for (const [text, who] of some) {
      for (const path of paths(who)) {
        await page.goto(path)
        expect([...hits, ...(await madeBy(page, null))], `${path}: ${text}`).toEqual([])
        visits++
      }
    }
    await page.close()
  }
  const [reading, auditing] = [writers.entries(), writers.entries()]
  const own = async () => {
    for (const [text, who] of writers) await look(who, [[text, who]], () => OWN)
  }
  // Pages beside each other take what is next.
  await Promise.all([
    look(reader, reading, pagesOn),
    look(reader, reading, pagesOn),
    look(auditor, auditing, auditOf),
    own(),
  ])
  if (process.env.MARKUP) process.stdout.write(`${writers.size} strings, ${visits} pages, 0 ran\n`)
})

test('markup on the cards of Discover runs nowhere', async ({ world, open }) => {
  test.setTimeout(60_000 + VISITED * 20_000)
  const strings = everyNth(VISITED)
  for (let from = 0; from < strings.length; from += CARDS) {
    // Far from everybody else, so that all of them are on the first cards.
    const location = { lat: -60 + (from / CARDS) * 1.5, lng: 20 }
    const stranger = await world.member('Stranger', { location })
    for (const text of strings.slice(from, from + CARDS)) {
      const who = await world.member(short(text, NAME_MAX), { location })
      const chips = chipsOf(text, MAX_INTERESTS)
      await world.edit(who, {
        bio: packed(text, BIO_MAX),
        city: short(text, CITY_MAX),
        visibilityMode: 'full',
        interests: chips,
      })
    }
    await world.settled()
    const page = await open({ as: stranger })
    const hits = await watched(page)
    await page.goto('/discover')
    expect(await page.locator('.deck-card').count()).toBeGreaterThan(0)
    expect([...hits, ...(await madeBy(page, null))], `from ${from}`).toEqual([])
    await page.close()
  }
})

test('markup in whatever a mail is given runs nowhere in it', async ({ world, open }) => {
  const page = await open({ as: await world.member('Reader') })
  const hits = await watched(page)
  const [at, link] = [new Date(), `${world.url}/contact`]
  for (const text of everyNth(Math.min(CORPUS.length, STRINGS * 10))) {
    // Of all that mails hold the words of a person are a reason alone; links are the product's own.
    const mails = [
      signupCodeMail(text),
      resetCodeMail({ code: text, link }),
      accountSuspendedMail({ reason: text, contactUrl: link, at }),
    ]
    await page.setContent(mails.map(({ html }) => html).join('\n'))
    expect([...hits, ...(await madeBy(page, null))], text).toEqual([])
  }
})

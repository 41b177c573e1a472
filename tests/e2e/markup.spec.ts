import type { Page } from 'playwright'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { MESSAGE_MAX } from '../../domain/pair/limits.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { expect, hostCookie, type OpenOptions, test } from './fixture.ts'
import { CORPUS } from './pages/markup/corpus.ts'
import { everyNth, inBatches, packed, STRINGS } from './pages/markup/fill.ts'
import { goWithin, type Look, lookAt, runDocuments, watch } from './pages/markup/look.ts'
import { mailsWith } from './pages/markup/mails.ts'
import { type Visit, visitsOf } from './pages/markup/visits.ts'
import { BATCH, type Batch, batchOf } from './pages/markup/writers.ts'

/** Pages beside each other take what is next. */
const PAGES = 2
/** The policy of the product would refuse what runs: without it, nothing does. */
const OPEN: OpenOptions = { refusals: true, policy: false }

async function signIn(page: Page, world: World, { token }: Person): Promise<void> {
  await page.context().clearCookies()
  await page.context().addCookies([hostCookie(world, SESSION_COOKIE, token)])
}

/** Each string is on some page of its visit, and has become nothing but text on all of them. */
function expectText({ text }: Visit, looks: readonly Look[]): void {
  for (const { path, status, wrong } of looks) {
    expect(wrong, `${path}: ${text}`).toEqual([])
    expect([200, 404], `${path} is answered ${status}`).toContain(status)
  }
  expect(
    looks.some(({ isThere }) => isThere),
    `${looks.map(({ path }) => path)} have ${text}`,
  ).toBe(true)
}

const begun = performance.now()
/** How far a long run has come. */
function report(strings: number, looks: number): void {
  const seconds = Math.round((performance.now() - begun) / 1_000)
  if (process.env.MARKUP) process.stdout.write(`${strings} strings, ${looks} pages, 0 ran, ${seconds} s\n`)
}

type Opened = (page: Page, world: World, visits: readonly Visit[]) => Promise<Look[][]>

/** Each visit by itself, as the server writes its pages. */
const asWritten: Opened = async (page, world, visits) => {
  const all: Look[][] = []
  if (page.url() === 'about:blank') await page.goto('/contact')
  for (const { as, paths, text } of visits) {
    await signIn(page, world, as)
    all.push(
      await runDocuments(
        page,
        paths.map((path) => ({ path })),
        text,
      ),
    )
  }
  return all
}

/** The first page as a browser opens it, and the others from there. */
const awake: Opened = async (page, world, visits) => {
  const [{ as, paths, text }] = visits as [Visit]
  const first = paths[0] as string
  await signIn(page, world, as)
  await page.goto(first)
  const all: Look[][] = []
  for (const visit of visits) {
    const looks = visit === visits[0] ? [await lookAt(page, first, text)] : []
    for (const path of visit.paths.slice(looks.length)) looks.push(await goWithin(page, { path }, visit.text))
    all.push(looks)
  }
  return all
}

/** Visits of one person after the other. */
function byPerson(visits: readonly Visit[]): Visit[][] {
  const groups: Visit[][] = []
  for (const visit of visits) {
    const last = groups.at(-1)
    if (last?.[0]?.as === visit.as) last.push(visit)
    else groups.push([visit])
  }
  return groups
}

/** Of many batches each takes every second. */
const HALVES = STRINGS > BATCH ? ['one half', 'the other half'] : ['all']
for (const [half, name] of HALVES.entries())
  test(`markup in every field is text on every page, as it is written and once it is awake: ${name}`, async ({
    world,
    open,
  }) => {
    test.setTimeout(60_000 + STRINGS * 10_000)
    let [tried, pages] = [0, 0]
    const mine = inBatches(everyNth(STRINGS), BATCH).filter((_, at) => at % HALVES.length === half)
    for (const strings of mine) {
      const batch = await batchOf(world, strings)
      const groups = byPerson(visitsOf(batch)).values()
      const look = async () => {
        const [written, page] = [await open(OPEN), await open(OPEN)]
        await Promise.all([watch(written), watch(page), plain(page)])
        for (const group of groups) {
          for (const opened of [await asWritten(written, world, group), await awake(page, world, group)]) {
            for (const [at, looks] of opened.entries()) expectText(group[at] as Visit, looks)
            pages += opened.flat().length
          }
          if (group[0]?.as === batch.reader) await hear(page, world, batch)
        }
        await Promise.all([written.close(), page.close()])
      }
      await Promise.all(Array.from({ length: PAGES }, look))
      tried += strings.length
      report(tried, pages)
    }
  })

/** How a page looks is no matter here: nothing moves, little is drawn, and no picture is loaded. */
async function plain(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 240 })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setBlockedURLs', { urls: ['*/media/*'] })
}

/** What comes by the socket: the news of messages on another page, and the messages themselves in their room. */
async function hear(page: Page, world: World, { writers, reader }: Batch): Promise<void> {
  await goWithin(page, { path: '/terms' }, '')
  const named = writers.map(({ who }) => page.waitForResponse((answer) => answer.url().endsWith(`/news/${who.id}`)))
  await Promise.all(writers.map(({ who }) => world.sendMessage(who, reader, 'Hello')))
  await Promise.all(named)
  await expect(page.locator('.toast').last()).toContainText('sent you a message.')
  expect((await lookAt(page, 'toasts', '')).wrong).toEqual([])
  const [{ who }] = writers as [Batch['writers'][number]]
  await goWithin(page, { path: `/chat/${who.id}` }, '')
  for (const [at, { text }] of writers.entries()) {
    const end = `, number ${at} of them`
    await world.sendMessage(who, reader, packed(text, MESSAGE_MAX - end.length) + end)
  }
  await expect(page.locator('.message').last()).toContainText(`number ${writers.length - 1} of them`)
  expect((await lookAt(page, 'messages that come', '')).wrong).toEqual([])
}

test('markup in whatever a mail is given runs nowhere in it, nor in the mailbox', async ({ world, open }) => {
  test.setTimeout(60_000 + STRINGS * 500)
  const page = await open(OPEN)
  await watch(page)
  await page.goto('/contact')
  const strings = everyNth(Math.min(CORPUS.length, STRINGS * 80))
  for (const [at, some] of inBatches(strings, BATCH).entries()) {
    const texts = some.map((text) => Object.values(mailsWith(text, `${world.url}/contact`)))
    await page.setContent(texts.flatMap((all) => all.map(({ html }) => html)).join('\n'))
    expect((await lookAt(page, 'mails', '')).wrong, some.join(' ')).toEqual([])
    const to = `mailbox.${at}@example.com`
    for (const text of some) await world.services.mailer.send({ to, subject: text, text, html: '' })
    await page.goto(`/dev/mailbox?to=${to}`)
    const { wrong, isThere } = await lookAt(page, '/dev/mailbox', some[0] as string)
    expect({ wrong, isThere }).toEqual({ wrong: [], isThere: true })
  }
})

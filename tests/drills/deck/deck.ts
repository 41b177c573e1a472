import type { Browser, Page } from 'playwright'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { waitsUntilAwake } from '../../e2e/pages/awake.ts'
import { handleDeck, type Size } from '../../e2e/pages/deck-hands.ts'
import { launchBrowser, VISITOR } from '../../support/browser.ts'
import { holdPages } from '../../support/described/hold-pages.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { type FrameWork, workOfFrames } from './frames.ts'

const SIZES: readonly Size[] = [
  { width: 390, height: 844, touch: true },
  { width: 360, height: 640, touch: true },
  { width: 320, height: 568, touch: true },
  { width: 1280, height: 800, touch: false },
]
/** So many that no round of acts empties the deck; each round is another member's. */
const PEOPLE = 60
const ROUND = 50
const PLACE = { lat: 60.39, lng: 5.32 }

export type DeckFigures = FrameWork & { acts: number; decided: number; lost: string[]; doubled: string[] }

/** Random gestures and key presses from nine points at four sizes, and the work of frames while a card is dragged. */
export async function deckDrill({
  acts,
  drags,
  print,
}: {
  acts: number
  drags: number
  print: (line: string) => void
}): Promise<DeckFigures> {
  const world = await startWorld()
  const browser = await launchBrowser()
  try {
    await Promise.all(Array.from({ length: PEOPLE }, (_, n) => world.join(`Person ${n}`, { location: PLACE })))
    const all = { acts: 0, decided: 0, lost: [] as string[], doubled: [] as string[] }
    for (let round = 0; all.acts < acts; round++) {
      const me = await world.member(`Viewer ${round}`, { location: PLACE, visibilityMode: 'hidden' })
      await world.settled()
      const size = SIZES[round % SIZES.length]!
      const { page, close } = await open(world, browser, me)
      const handled = await handleDeck(world, me, page, size, Math.min(ROUND, acts - all.acts), round + 1)
      await close()
      all.acts += handled.acts
      all.decided += handled.decided
      const at = (what: string) => `${size.width}, round ${round}: ${what}`
      all.lost.push(...handled.lost.map(at))
      all.doubled.push(...handled.doubled.map(at))
      print(`  ${all.acts} acts, ${all.decided} decisions, ${all.lost.length} lost, ${all.doubled.length} doubled`)
    }
    const me = await world.member('Viewer of frames', { location: PLACE })
    await world.settled()
    const { page, close } = await open(world, browser, me)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/discover')
    const work = await workOfFrames(browser, page, drags)
    await close()
    return { ...all, ...work }
  } finally {
    await browser.close()
    await world.stop()
  }
}

/** `close` looks at what the page was answered first. */
async function open(world: World, browser: Browser, me: Person): Promise<{ page: Page; close(): Promise<void> }> {
  const context = await browser.newContext({ ...VISITOR, baseURL: world.url })
  const looked = holdPages(context)
  const url = world.url.replace('http:', 'https:')
  await context.addCookies([{ name: SESSION_COOKIE, value: me.token, url, secure: true, httpOnly: true }])
  const close = async () => {
    await looked()
    await context.close()
  }
  return { page: waitsUntilAwake(await context.newPage()), close }
}

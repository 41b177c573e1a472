import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

/** A phone on its side, and the smallest one. */
const LOW = [
  { width: 640, height: 360 },
  { width: 320, height: 568 },
]
const PAGES = [
  '/settings/delete',
  '/notifications',
  '/profile/gallery',
  '/profile',
  '/profile/edit',
  '/chat',
  '/discover',
]
/** More than any of these pages has. */
const MOST_STOPS = 60

/** What the focus is on, and by how much the bar at the foot covers it (WCAG 2.4.11); null once the focus has left the page. */
const coveredFocus = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const focused = document.activeElement as HTMLElement
    const bar = document.querySelector('.nav-bottom')
    if (focused === document.body || !bar || bar.contains(focused)) return null
    const isSeen = focused.getBoundingClientRect().width > 2 && getComputedStyle(focused).opacity !== '0'
    const { top, bottom } = (isSeen ? focused : (focused.closest('label') ?? focused)).getBoundingClientRect()
    const foot = bar.getBoundingClientRect().top
    const name = focused.getAttribute('aria-label') ?? focused.textContent?.trim() ?? focused.tagName
    return { name, covered: Math.max(0, bottom - foot), hasRoom: bottom - top < foot / 2 }
  })

for (const size of LOW) {
  const words = `${size.width} × ${size.height}`

  test(`what the keyboard comes to stands clear of the bar at the foot, ${words}`, async ({ world, open }) => {
    // A machine under load takes its time over every key.
    test.setTimeout(120_000)
    const [ann, bea, cid] = [await world.join('Ann'), await world.join('Bea'), await world.join('Cid')]
    await world.join('Dan')
    await world.match(ann, bea)
    await world.buzz(cid, ann)
    await world.settled()
    const page = await open({ as: ann, phone: true })
    await page.setViewportSize(size)
    for (const path of [...PAGES, `/match/${bea.id}`]) {
      await page.goto(path)
      const under: string[] = []
      let stops = 0
      for (; stops < MOST_STOPS; stops += 1) {
        await page.keyboard.press('Tab')
        const stop = await coveredFocus(page)
        if (!stop) break
        if (stop.hasRoom && stop.covered > 0) under.push(`${stop.name}: ${stop.covered} px`)
      }
      expect.soft([under, stops > 3], path).toEqual([[], true])
    }
  })
}

import type { Locator, Page } from 'playwright'
import type { Person } from '../../support/world-people.ts'
import { expect, type OpenOptions, test } from '../fixture.ts'

type Open = (options: OpenOptions) => Promise<Page>

/** A page as whoever chose the few colours of their system sees it. */
async function inForcedColors(open: Open, as: Person, path: string, phone = false): Promise<Page> {
  const page = await open({ as, phone })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(path)
  return page
}

/** What is drawn this far right of the left end of something and below its middle or its upper end. */
async function drawn(page: Page, target: Locator, right: number, from: 'middle' | 'foot' = 'middle'): Promise<string> {
  const { x, y, height } = (await target.boundingBox())!
  const top = from === 'middle' ? y + height / 2 : y + height - 3
  const clip = { x: Math.round(x) + right, y: Math.round(top), width: 4, height: 2 }
  return (await page.screenshot({ clip, animations: 'disabled' })).toString('base64')
}

/** An edge, or a ground of its own, parts it from what it stands on. */
async function expectShape(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  expect(await drawn(page, target, -1)).not.toBe(await drawn(page, target, -5))
}

test('in forced colours Buzz and Send keep their shape and their icon', async ({ world, open }) => {
  const location = { lat: 70.07, lng: 29.75 }
  const [ann, bea] = [await world.member('Ann', { location }), await world.member('Bea', { location })]
  const deck = await inForcedColors(open, ann, '/discover', true)
  const buzz = deck.getByRole('button', { name: 'Buzz Bea' })
  await expectShape(deck, buzz)
  await expect(buzz.locator('svg')).toBeVisible()
  await world.match(ann, bea)
  await world.settled()
  const room = await inForcedColors(open, ann, `/chat/${bea.id}`)
  const send = room.getByRole('button', { name: 'Send' })
  await expectShape(room, send)
  await expect(send.locator('svg')).toBeVisible()
  await expectShape(room, room.locator('.chat-row[aria-current]'))
})

test('in forced colours the tab that is open, the page that is open and the unread are marked', async ({
  world,
  open,
}) => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  await world.buzz(dan, cat)
  await world.settled()
  const page = await inForcedColors(open, cat, '/notifications')
  const tabs = page.getByRole('navigation', { name: 'Kinds of notifications' }).getByRole('link')
  await expect(tabs).toHaveCount(3)
  expect(await drawn(page, tabs.first(), 4, 'foot')).not.toBe(await drawn(page, tabs.last(), 4, 'foot'))
  await expectShape(page, page.locator('.notice-dot'))
  await expect(page.locator('.nav-top [aria-current] .nav-label')).toHaveCSS('text-decoration-line', 'underline')
})

test('in forced colours a switch shows its track, and whether it is on', async ({ world, open }) => {
  const page = await inForcedColors(open, await world.member('Eve'), '/notifications', true)
  await page.getByTitle('Menu').click()
  const look = page.locator('.switch:visible')
  await expectShape(page, look)
  const off = await look.screenshot({ animations: 'disabled' })
  await page.getByRole('button', { name: 'Buzz Mode' }).click()
  if (!(await look.isVisible())) await page.getByTitle('Menu').click()
  await expect(page.getByRole('button', { name: 'Buzz Mode' })).toHaveAttribute('aria-pressed', 'true')
  await expectShape(page, look)
  const on = await look.screenshot({ animations: 'disabled' })
  expect(on.equals(off)).toBe(false)
})

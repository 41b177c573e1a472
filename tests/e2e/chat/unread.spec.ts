import type { Page } from 'playwright'
import { countUnread } from '../../../projections/conversations/unread.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { expect, test } from '../fixture.ts'
import { log, longRoom, message } from '../pages/long-room.ts'

const MANY = 60
const divider = (page: Page) => log(page).getByText('Unread messages')
const pill = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Opens the room, reads all of it, and looks elsewhere. */
async function readsAll(world: World, page: Page, me: Person, other: Person): Promise<void> {
  await page.goto(`/chat/${other.id}`)
  await expect.poll(async () => (await countUnread(world.read, me.id)).total).toBe(0)
  await page.goto('/notifications')
}

/** What the divider stands before. */
const afterDivider = (page: Page) =>
  log(page)
    .getByRole('listitem')
    .evaluateAll((all) => all[all.findIndex((one) => one.textContent === 'Unread messages') + 1]?.textContent)

test('a line stands where the unread began when the room was opened, and stays there', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], MANY)
  const page = await open({ as: ann, phone: true })
  await readsAll(world, page, ann, bea)
  await page.goto(`/chat/${bea.id}`)
  await expect(message(page, MANY)).toBeVisible()
  await expect(divider(page)).toHaveCount(0)
  await world.sendMessage(bea, ann, 'While she looks')
  await expect(log(page)).toContainText('While she looks')
  await expect(divider(page)).toHaveCount(0)
  await expect.poll(async () => (await countUnread(world.read, ann.id)).total).toBe(0)

  await page.goto('/notifications')
  await world.sendMessage(ann, bea, 'From her other device')
  for (const text of ['New one', 'New two']) await world.sendMessage(bea, ann, text)
  await world.settled()
  const plain = await open({ as: ann, phone: true, script: false })
  await plain.goto(`/chat/${bea.id}`)
  expect(await afterDivider(plain)).toContain('New one')
  await page.goto(`/chat/${bea.id}`)
  await expect(divider(page)).toBeInViewport({ ratio: 1 })
  await expect.poll(async () => (await countUnread(world.read, ann.id)).total).toBe(0)
  await world.sendMessage(bea, ann, 'New three')
  await expect(log(page)).toContainText('New three')
  expect(await afterDivider(page)).toContain('New one')
})

/** Ends when the page has heard of it, a frame later: what comes before leads to the end. */
const scrollUp = (page: Page) =>
  log(page).evaluate(
    (room) =>
      new Promise<void>((heard) => {
        room.addEventListener('scroll', () => heard(), { once: true })
        room.scrollTo(0, 200)
      }),
  )

test('what comes while one is scrolled up is counted in a pill that leads to it', async ({ world, open }) => {
  const [cat, dan] = await longRoom(world, ['Cat', 'Dan'], MANY)
  const page = await open({ as: cat, phone: true })
  await page.goto(`/chat/${dan.id}`)
  await scrollUp(page)
  await expect(message(page, 1)).toBeAttached()
  const at = () => log(page).evaluate((room) => room.scrollTop)
  const before = await at()
  await world.sendMessage(dan, cat, 'One')
  await expect(pill(page, '1 new message')).toHaveText('1 new')
  await world.sendMessage(cat, dan, 'From her other device')
  for (const text of ['Two', 'Three']) await world.sendMessage(dan, cat, text)
  await expect(pill(page, '3 new messages')).toHaveText('3 new')
  expect(await at()).toBe(before)
  await pill(page, '3 new messages').click()
  for (const text of ['One', 'Two', 'Three']) await expect(log(page).getByText(text, { exact: true })).toBeInViewport()
  await expect(page.locator('.new-pill')).toHaveCount(0)
  await expect(log(page)).toBeFocused()

  await scrollUp(page)
  for (let n = 1; n <= 40; n++) await world.sendMessage(dan, cat, `Later ${n}`)
  await pill(page, '40 new messages').click()
  await expect(log(page).getByText('Later 1', { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(page.locator('.new-pill')).toHaveCount(0)
})

import type { Page } from 'playwright'
import { expect, test } from './fixture.ts'
import { waitsUntilAwake } from './pages/awake.ts'

const hearsNothing = (page: Page) => page.context().routeWebSocket(/\/realtime$/, () => undefined)

/** The same page twice, as two tabs of one browser that hear nothing of each other. */
async function twice(page: Page, url: string): Promise<[Page, Page]> {
  await hearsNothing(page)
  const other = waitsUntilAwake(await page.context().newPage())
  await page.goto(url)
  await other.goto(url)
  return [page, other]
}

test('a block that another tab lifted is one no more, whatever this tab still shows', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.block(ann, bea)
  await world.settled()
  const [first, second] = await twice(await open({ as: ann, refusals: true }), `${world.url}/block/${bea.id}`)
  await first.getByRole('button', { name: 'Unblock' }).click()
  await first.waitForURL('**/profile/privacy')
  await second.getByRole('button', { name: 'Unblock' }).click()
  await expect(second.getByText('Bea is not blocked', { exact: true })).toBeVisible()
  await expect(second.getByRole('button', { name: 'Unblock' })).toHaveCount(0)
})

test('a match that another tab ended cannot be ended again', async ({ world, open }) => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  await world.match(cat, dan)
  await world.settled()
  const [first, second] = await twice(await open({ as: cat, refusals: true }), `${world.url}/unmatch/${dan.id}`)
  await first.getByRole('button', { name: 'Unmatch' }).click()
  await first.waitForURL('**/profile?unmatched=*')
  await expect(first.getByText('You and Dan are no longer matched.')).toBeVisible()
  await second.getByRole('button', { name: 'Unmatch' }).click()
  await second.waitForURL(`**/viewProfile/${dan.id}`)
})

test('a buzz that can be answered no more leaves the notifications once that is tried', async ({ world, open }) => {
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  await world.buzz(fay, eve)
  await world.settled()
  const page = await open({ as: eve, refusals: true })
  await hearsNothing(page)
  await page.goto('/notifications')
  await world.block(fay, eve)
  await world.settled()
  await page.getByRole('button', { name: 'Match Back' }).click()
  await expect(page.getByRole('button', { name: 'Match Back' })).toHaveCount(0)
})

const nav = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true })

test('what is read in one tab is read in the others: badges, titles and rows, without a reload', async ({
  world,
  open,
}) => {
  const [gil, hen, ida] = [await world.member('Gil'), await world.member('Hen'), await world.member('Ida')]
  await world.match(ida, gil)
  await world.sendMessage(ida, gil, 'Hello')
  await world.buzz(hen, gil)
  await world.settled()
  const first = await open({ as: gil })
  const [second, third] = [
    waitsUntilAwake(await first.context().newPage()),
    waitsUntilAwake(await first.context().newPage()),
  ]
  await first.goto('/chat')
  await second.goto(`${world.url}/discover`)
  await third.goto(`${world.url}/notifications`)
  for (const page of [first, second, third]) await expect(page).toHaveTitle(/^\(2\) /)
  await expect(nav(second)).toContainText('1 buzz')
  await expect(third.getByText('unread', { exact: true })).not.toHaveCount(0)

  // Whoever looks at a conversation reads it.
  await first.goto(`/chat/${ida.id}`)
  for (const page of [first, second, third]) await expect(page).toHaveTitle(/^\(1\) /)
  await expect(nav(second)).not.toContainText('unread')

  await first.goto('/notifications')
  await first.getByRole('button', { name: 'Mark all read' }).click()
  for (const page of [first, second, third]) await expect(page).toHaveTitle(/^[^(]/)
  await expect(nav(second)).not.toContainText('1 buzz')
  await expect(third.getByText('unread', { exact: true })).toHaveCount(0)
  await expect(third.getByRole('button', { name: 'Mark all read' })).toHaveCount(0)
})

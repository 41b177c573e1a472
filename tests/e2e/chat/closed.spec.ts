import type { Page } from 'playwright'
import type { World } from '../../support/world.ts'
import { expect, type OpenOptions, test } from '../fixture.ts'
import { longRoom } from '../pages/long-room.ts'

test('who writes when the other unmatches reads why, and keeps what was typed', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 3)
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.goto(`/chat/${bea.id}`)
  await page.getByLabel('Message to Bea').fill('Half a sentence')
  await world.unmatch(bea, ann)
  // Screen readers read what has the focus.
  await expect(page.getByRole('heading', { name: 'This conversation is closed' })).toBeFocused()
  await expect(page.getByLabel('What you wrote')).toHaveValue('Half a sentence')
  await expect(page.getByText('404')).toHaveCount(0)
  await page.getByRole('link', { name: 'Your matches' }).click()
  await expect(page).toHaveURL(`${world.url}/chat`)
})

test('who writes when the other erases the account keeps what was typed, and hears that they are gone', async ({
  world,
  open,
}) => {
  const [pia, quin] = await longRoom(world, ['Pia', 'Quin'], 3)
  const page = await open({ as: pia, phone: true, refusals: true })
  await page.goto(`/chat/${quin.id}`)
  await page.getByLabel('Message to Quin').fill('A long letter')
  await world.account(quin, 'EraseAccount')
  await expect(page.getByText('This member is no longer here.')).toBeFocused()
  await expect(page.getByLabel('What you wrote')).toHaveValue('A long letter')
})

test('who writes when the other erases the account, without script, has the words back once they are sent', async ({
  world,
  open,
}) => {
  const [pia, quin] = await longRoom(world, ['Pia', 'Quin'], 3)
  const page = await open({ as: pia, phone: true, refusals: true, script: false })
  await page.goto(`/chat/${quin.id}`)
  await page.getByLabel('Message to Quin').fill('A long letter')
  await world.account(quin, 'EraseAccount')
  await world.settled()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByLabel('What you wrote')).toHaveValue('A long letter')
  await expect(page.getByRole('alert')).toBeVisible()
})

test('what is being written on the page of a match stays when the match ends', async ({ world, open }) => {
  const [rob, sam] = await longRoom(world, ['Rob', 'Sam'], 3)
  const page = await open({ as: rob, phone: true, refusals: true })
  await page.goto(`/match/${sam.id}`)
  await page.getByLabel('Message to Sam').fill('My precious words')
  await world.unmatch(sam, rob)
  await world.settled()
  await expect(page.getByLabel('Message to Sam')).toHaveValue('My precious words')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('heading', { name: 'This conversation is closed' })).toBeVisible()
  await expect(page.getByLabel('What you wrote')).toHaveValue('My precious words')
})

/** The page's socket is turned away until the answer is called. */
async function keepFromLive(page: Page): Promise<() => void> {
  let isAway = true
  await page.routeWebSocket('**/realtime', (socket) => {
    if (isAway) socket.close({ code: 1013 })
    else socket.connectToServer()
  })
  return () => {
    isAway = false
  }
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Message to/ }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log')).toContainText(text)
}

const DATA = /\.data(\?|$)/

/** Two who are matched, and the phone of the first on the list of matches, with a message to the other on its way. */
async function withQueue(world: World, open: (options: OpenOptions) => Promise<Page>) {
  const [one, other] = await longRoom(world, ['Cid', 'Dan'], 3)
  const page = await open({ as: one, phone: true, refusals: true })
  const comeBack = await keepFromLive(page)
  await page.goto(`/chat/${other.id}`)
  await write(page, 'Tea at five?')
  await page.getByRole('link', { name: 'Back to your matches' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Chat', level: 1 })).toBeVisible()
  const openRoom = () => page.locator(`.chat-list a[href^="/chat/${other.id}"]`).click()
  return { page, comeBack, openRoom }
}

async function expectKept(page: Page): Promise<void> {
  const kept = page.getByRole('region', { name: 'Your messages' })
  await expect(kept).toContainText('What you wrote is kept here, and will be sent.')
  await expect(kept.getByText('Tea at five?')).toBeVisible()
}

async function expectSentOnce(page: Page): Promise<void> {
  await expect(page.getByRole('log').getByText('Tea at five?')).toHaveCount(1)
  await expect(page.locator('.message', { hasText: 'Tea at five?' })).toHaveAttribute('data-state', 'stored')
}

test('a room that fails shows the messages that wait as kept, and as sent once they are', async ({ world, open }) => {
  const stranger = await world.member('Gus')
  const { page, comeBack, openRoom } = await withQueue(world, open)
  // What a room is answered with that is not there, as one whose own look failed.
  await page.route(DATA, async (route) => {
    const answer = await route.fetch({ url: `${world.url}/chat/${stranger.id}.data` })
    return route.fulfill({ response: answer, body: (await answer.text()).replaceAll('404', '500') })
  })
  await openRoom()
  await expect(page.getByRole('heading', { name: 'Something went wrong on our side' })).toBeVisible()
  await expectKept(page)
  comeBack()
  const kept = page.getByRole('region', { name: 'Your messages' })
  await expect(kept).toContainText('What you wrote has been sent.', { timeout: 30_000 })
  await expect(kept.getByText('Tea at five?')).toBeVisible()
  // Another room that fails, in the same page, shows nothing of it.
  const room = new URL(page.url()).pathname
  await page.evaluate((path) => window.__remixRouter.navigate(path), `/chat/${stranger.id}`)
  await page.waitForURL(`**/chat/${stranger.id}`)
  await expect(kept).toHaveCount(0)
  await page.unroute(DATA)
  await page.evaluate((path) => window.__remixRouter.navigate(path), room)
  await expectSentOnce(page)
})

test('a page that reaches nobody shows the messages that wait as kept, and they are sent once', async ({
  world,
  open,
}) => {
  const { page, comeBack, openRoom } = await withQueue(world, open)
  await page.route(DATA, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' }))
  await openRoom()
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expectKept(page)
  await page.unroute(DATA)
  await expect(page.getByRole('log')).toContainText('Tea at five?')
  comeBack()
  await expectSentOnce(page)
})

test('what waits for a room that ends meanwhile stays on its page, to be copied', async ({ world, open }) => {
  const [eve, fay] = await longRoom(world, ['Eve', 'Fay'], 3)
  const page = await open({ as: eve, phone: true, refusals: true })
  const comeBack = await keepFromLive(page)
  await page.goto(`/chat/${fay.id}`)
  await write(page, 'See you at the lake')
  await page.getByLabel('Message to Fay').fill('Half a sentence')
  await world.unmatch(fay, eve)
  comeBack()
  await expect(page.getByRole('heading', { name: 'This conversation is closed' })).toBeVisible()
  await expect(page.getByLabel('What you wrote')).toHaveValue('See you at the lake\n\nHalf a sentence')
})

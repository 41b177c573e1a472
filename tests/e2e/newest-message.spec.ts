import type { Page } from 'playwright'
import { listConversations } from '../../projections/conversations/queries.ts'
import { countUnread } from '../../projections/conversations/unread.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'
import { log, longRoom } from './pages/long-room.ts'

const MANY = 60

const talkative = (world: World, names: readonly [string, string]) => longRoom(world, names, MANY)

const toTop = (page: Page) => log(page).evaluate((room) => room.scrollTo(0, 0))
const newest = (page: Page, text = `Message ${MANY}`) => log(page).getByText(text, { exact: true })

for (const phone of [false, true]) {
  const where = phone ? 'on a phone' : 'on a desktop'

  test(`${where} without script a room opens at its newest message, also after a new one`, async ({ world, open }) => {
    const [ann, bea] = await talkative(world, ['Ann', 'Bea'])
    const page = await open({ as: ann, phone, script: false })
    await page.goto('/chat')
    await page.getByRole('link', { name: /Bea/ }).click()
    await expect(newest(page)).toBeInViewport({ ratio: 1 })
    await page.getByLabel('Message to Bea').fill('And one more')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(newest(page, 'And one more')).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: 'Mark as read' }).click()
    await expect(newest(page, 'And one more')).toBeInViewport({ ratio: 1 })
    await expect(page.getByLabel('Message to Bea')).toBeInViewport({ ratio: 1 })
    await page.getByRole('link', { name: 'Earlier messages' }).click()
    await expect(page.getByRole('link', { name: 'Newest messages' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('link', { name: 'Newest messages' }).click()
    await expect(newest(page, 'And one more')).toBeInViewport({ ratio: 1 })
    for (const path of [`/chat?u=${bea.id}`, `/viewProfile/${bea.id}`]) {
      await page.goto(path)
      if (path.startsWith('/view'))
        await page.getByRole('article').getByRole('link', { name: 'Chat', exact: true }).click()
      await expect(newest(page, 'And one more')).toBeInViewport({ ratio: 1 })
    }
  })

  test(`${where} with script a room is opened without an anchor, and writing keeps the focus`, async ({
    world,
    open,
  }) => {
    const [cat, dan] = await talkative(world, ['Cat', 'Dan'])
    const page = await open({ as: cat, phone })
    await page.goto('/chat')
    await page.getByRole('link', { name: /Dan/ }).click()
    await expect(newest(page)).toBeInViewport({ ratio: 1 })
    await expect(page).toHaveURL(`${world.url}/chat/${dan.id}`)
    const box = page.getByLabel('Message to Dan')
    await box.click()
    await page.keyboard.type('And one more')
    await page.keyboard.press('Enter')
    await expect(newest(page, 'And one more')).toBeInViewport({ ratio: 1 })
    await expect(box).toBeFocused()
    await expect(page).toHaveURL(`${world.url}/chat/${dan.id}`)
    await toTop(page)
    await expect(newest(page, 'Message 1')).toBeAttached()
    await toTop(page)
    await world.sendMessage(dan, cat, 'While you read')
    await expect(log(page)).toContainText('While you read')
    expect(await log(page).evaluate((room) => room.scrollTop)).toBe(0)
  })
}

/** The address of the room's second page, as the link without script has it. */
async function olderPage(world: World, me: Person, other: Person): Promise<string> {
  const html = await (await world.page(`/chat/${other.id}`, { as: me })).text()
  const [, before] = /before=([\w-]+)/.exec(html) ?? []
  return `/chat/${other.id}?before=${before}`
}

test('with script who writes on an older page gets to the newest one, which goes on live', async ({ world, open }) => {
  const [eva, fay] = await talkative(world, ['Eva', 'Fay'])
  const older = await olderPage(world, eva, fay)
  const page = await open({ as: eva })
  const receipts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') receipts.push(`${request.url()} ${request.postData()}`)
  })
  await page.goto(older)
  await expect(newest(page, 'Message 1')).toBeVisible()
  const box = page.getByLabel('Message to Fay')
  await box.click()
  await page.keyboard.type('From an older page')
  expect(receipts).toEqual([])
  await page.keyboard.press('Enter')
  await expect(newest(page, 'From an older page')).toBeInViewport({ ratio: 1 })
  await expect(newest(page)).toBeInViewport({ ratio: 1 })
  await expect(page).toHaveURL(`${world.url}/chat/${fay.id}`)
  await expect(box).toBeFocused()
  await world.sendMessage(fay, eva, 'And an answer')
  await expect(newest(page, 'And an answer')).toBeInViewport({ ratio: 1 })
  await world.settled()
  await expect.poll(async () => (await countUnread(world.read, eva.id)).total).toBe(0)

  await page.goto(older)
  const arrived = page.locator('.older-page').getByRole('status')
  await expect(arrived).toBeEmpty()
  receipts.length = 0
  await world.sendMessage(fay, eva, 'While you read')
  await expect(arrived).toHaveText('1 new message')
  await world.sendMessage(eva, fay, 'From another device')
  await world.sendMessage(fay, eva, 'And another one')
  await expect(arrived).toHaveText('2 new messages')
  await expect(log(page)).not.toContainText('While you read')
  expect(receipts).toEqual([])
  await page.getByRole('link', { name: 'Newest messages' }).click()
  await expect(newest(page, 'And another one')).toBeInViewport({ ratio: 1 })
  await expect(page.locator('.older-page')).toHaveCount(0)
})

test('without script a refusal and an earlier page stay at the end of what they show', async ({ world, open }) => {
  const [ida, jim] = await talkative(world, ['Ida', 'Jim'])
  const page = await open({ as: ida, script: false, refusals: true })
  await page.goto(`/chat/${jim.id}?before=none`)
  await page.getByLabel('Message to Jim').fill(' ')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(newest(page)).toBeInViewport({ ratio: 1 })
  await page.getByRole('link', { name: 'Earlier messages' }).click()
  await expect(newest(page, 'Message 10')).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Mark as read' })).toHaveCount(0)
})

test('who writes keeps the focus when the page of the list beside the room becomes empty', async ({ world, open }) => {
  const [kai, lia, mo] = await Promise.all(['Kai', 'Lia', 'Mo'].map((name) => world.member(name)))
  for (const other of [lia!, mo!]) {
    await world.match(kai!, other)
    await world.settled()
  }
  const { next } = await listConversations(world.read, kai!.id, { limit: 1 })
  const page = await open({ as: kai! })
  await page.goto(`/chat/${lia!.id}?${new URLSearchParams({ after: `${next}` })}`)
  const list = page.getByRole('complementary', { name: 'Matches' }).getByRole('listitem')
  await expect(list).toHaveCount(1)
  const box = page.getByLabel('Message to Lia')
  await box.click()
  await page.keyboard.type('Half a ')
  await world.sendMessage(lia!, kai!, 'And to the top')
  await expect(list).toHaveCount(2)
  await expect(box).toBeFocused()
  await page.keyboard.type('sentence')
  await expect(box).toHaveValue('Half a sentence')
  await expect(page).toHaveURL(`${world.url}/chat/${lia!.id}`)
})

/** Which messages the room shows, by their number. */
const numbers = async (page: Page) =>
  (await log(page).locator('.bubble-text').allTextContents()).map((text) => Number(text.replace('Message ', '')))
const upTo = (newest: number) => Array.from({ length: newest }, (_, index) => index + 1)

test('with script earlier messages stay, each once and in order, when more than a few new ones come', async ({
  world,
  open,
}) => {
  const [kit, lou] = await talkative(world, ['Kit', 'Lou'])
  const page = await open({ as: kit, phone: true })
  await page.goto(`/chat/${lou.id}`)
  await toTop(page)
  await expect(newest(page, 'Message 1')).toBeAttached()
  expect(await numbers(page)).toEqual(upTo(MANY))
  const later = MANY + 15
  for (let n = MANY + 1; n <= later; n++) await world.sendMessage(lou, kit, `Message ${n}`)
  await expect(newest(page, `Message ${later}`)).toBeAttached()
  await world.settled()
  const read = page.waitForResponse((response) => response.url().includes(`/chat/${lou.id}.data`) && response.ok())
  await page.getByLabel('Message to Lou').fill(`Message ${later + 1}`)
  await page.getByRole('button', { name: 'Send' }).click()
  await read
  await expect(log(page).getByRole('img', { name: 'Sending' })).toHaveCount(0)
  expect(await numbers(page)).toEqual(upTo(later + 1))
})

test('with script what one reads stays where it is when earlier messages come, and new ones are announced', async ({
  world,
  open,
}) => {
  const [moe, nia] = await talkative(world, ['Moe', 'Nia'])
  const page = await open({ as: moe, phone: true })
  const first = log(page).getByText(`Message ${MANY - 49}`, { exact: true })
  const heightOf = async () => (await first.boundingBox())?.y ?? Number.NaN
  for (const from of [0, 8])
    await test.step(`${from} px from the top`, async () => {
      await page.goto(`/chat/${nia.id}`)
      const seen = await watchLive(page)
      await log(page).evaluate((room, top) => room.scrollTo(0, top), from)
      const before = await heightOf()
      await expect(newest(page, 'Message 1')).toBeAttached()
      await expect.poll(() => seen.jsonValue()).toContain('off')
      expect(Math.abs((await heightOf()) - before)).toBeLessThanOrEqual(2)
      await expect(log(page)).not.toHaveAttribute('aria-live')
      expect(Math.abs((await heightOf()) - before)).toBeLessThanOrEqual(2)
    })
  await test.step('new ones are announced once earlier ones were read', () => expectAnnounced(page, world, moe, nia))
})

/** Whether what changes in the conversation from now on is announced, change by change. */
const watchLive = (page: Page) =>
  log(page).evaluateHandle((room) => {
    const seen: string[] = []
    const watch = new MutationObserver(() => seen.push(room.getAttribute('aria-live') ?? 'announced'))
    watch.observe(room, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-live'] })
    return seen
  })

async function expectAnnounced(page: Page, world: World, me: Person, other: Person): Promise<void> {
  const seen = await watchLive(page)
  for (let n = MANY + 1; n <= MANY + 6; n++) {
    await world.sendMessage(other, me, `Message ${n}`)
    await expect(newest(page, `Message ${n}`)).toBeAttached()
    await expect.poll(async () => (await countUnread(world.read, me.id)).total).toBe(0)
  }
  expect(await seen.jsonValue()).not.toContain('off')
}

test('a message that one sends stays in the page from the moment it is sent', async ({ world, open }) => {
  const [quin, rae] = await talkative(world, ['Quin', 'Rae'])
  const page = await open({ as: quin })
  await page.goto(`/chat/${rae.id}`)
  await expect(newest(page)).toBeInViewport({ ratio: 1 })
  const unread = (await countUnread(world.read, rae.id)).total
  const shown = await log(page).evaluateHandle((room) => {
    const shown: number[] = []
    const count = () => (room.textContent ?? '').split('Stays here').length - 1
    new MutationObserver(() => shown.push(count())).observe(room, { subtree: true, childList: true })
    return shown
  })
  await page.getByLabel('Message to Rae').fill('Stays here')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(async () => (await countUnread(world.read, rae.id)).total).toBe(unread + 1)
  await expect(log(page).getByRole('img', { name: 'Sending' })).toHaveCount(0)
  await expect(newest(page, 'Stays here')).toBeVisible()
  const counts = await shown.evaluate((all) => all)
  expect(counts.slice(counts.indexOf(1)).filter((one) => one !== 1)).toEqual([])

  await test.step('the conversation has the focus once there is nothing earlier', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Earlier messages' }).focus()
    await page.keyboard.press('Enter')
    await expect(newest(page, 'Message 1')).toBeAttached()
    await expect(log(page)).toBeFocused()
  })
})

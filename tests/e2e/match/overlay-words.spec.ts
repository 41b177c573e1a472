import type { Page } from 'playwright'
import type { World } from '../../support/world.ts'
import { expect, type OpenOptions, test } from '../fixture.ts'
import { BACK, become, go, isOf, kept, stored } from '../pages/kept.ts'

const WORDS = 'Hello to you, whom I like'

/** Two who match while the first of them looks at her own profile, and writes in the overlay. */
async function writing(world: World, open: (options: OpenOptions) => Promise<Page>) {
  const [me, other] = [await world.member('Ann'), await world.member('Bea')]
  await world.buzz(me, other)
  await world.settled()
  const page = await open({ as: me, phone: true, refusals: true })
  await page.goto('/profile')
  await page.waitForFunction(() => window.__remixRouter !== undefined)
  await world.buzz(other, me)
  const box = page.getByRole('dialog').getByLabel('Message to Bea')
  await box.fill(WORDS)
  await kept(page, WORDS)
  return { page, me, other, box: page.getByLabel('Message to Bea') }
}

test('what was typed to a match is in the conversation, where its overlay is closed', async ({ world, open }) => {
  const { page, other, box } = await writing(world, open)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await go(page, `/chat/${other.id}`)
  await expect(box).toHaveValue(WORDS)
  await expect(page.getByText(BACK)).toBeVisible()
})

test('what was typed to a match is on its page and in the conversation, where its overlay goes with a reload', async ({
  world,
  open,
}) => {
  const { page, other, box } = await writing(world, open)
  await page.reload()
  await page.goto(`/match/${other.id}`)
  await expect(box).toHaveValue(WORDS)
  await page.goto(`/chat/${other.id}`)
  await expect(box).toHaveValue(WORDS)
})

test('a session that ends below an overlay leads back to its page, and the conversation has the words', async ({
  world,
  open,
}) => {
  const { page, me, other, box } = await writing(world, open)
  await page.context().clearCookies()
  await page.evaluate(() => window.__remixRouter.revalidate())
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Fprofile(&|$)/)
  await page.getByLabel('E-mail').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await go(page, `/chat/${other.id}`)
  await expect(box).toHaveValue(WORDS)
})

test('a message that is sent from the overlay is not kept to be typed once more', async ({ world, open }) => {
  const { page, box } = await writing(world, open)
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log').getByText(WORDS)).toBeVisible()
  await expect(box).toHaveValue('')
  await expect.poll(() => stored(page)).not.toContain(WORDS)
  await expect(page.getByText(BACK)).toHaveCount(0)
})

test('an overlay ends with its member, and what was typed in it', async ({ world, open }) => {
  const { page } = await writing(world, open)
  const cid = await world.member('Cid')
  await become(page, world, cid)
  await page.evaluate(() => window.__remixRouter.revalidate())
  await isOf(page, cid)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => stored(page)).not.toContain(WORDS)
  expect(await page.content()).not.toContain(WORDS)
})

import type { Locator, Page } from 'playwright'
import { PROOF_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { World } from '../../support/world.ts'
import { expect, hostCookie, test } from '../fixture.ts'
import { registering } from '../pages/cast.ts'
import { addPhotos, goOn, step } from '../pages/sign-up.ts'

const PHONES = [
  { width: 390, height: 844 },
  { width: 375, height: 667 },
  { width: 360, height: 640 },
]

/** At the photos, of which there are none yet. */
async function atPhotos(world: World, page: Page): Promise<void> {
  await page.context().addCookies([hostCookie(world, PROOF_COOKIE, await registering(world))])
  await page.goto('/register?step=4')
  for (const left of [1, 0]) {
    await page.getByRole('button', { name: 'Remove Photo 1' }).click()
    await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(left)
  }
}

const boxOf = async (one: Locator) => (await one.boundingBox())!
const fromTop = (page: Page) => page.evaluate(() => window.scrollTo(0, 0))

for (const script of [true, false])
  test(`on any phone both steps show first what they are about, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    const page = await open({ phone: true, script })
    await atPhotos(world, page)
    for (const phone of PHONES) {
      await page.setViewportSize(phone)
      await fromTop(page)
      const [add, foot] = [await boxOf(page.locator('.upload-add')), await boxOf(page.locator('.wizard-ways'))]
      expect(add.y + add.height, `${phone.width}`).toBeLessThanOrEqual(foot.y)
      const places = await page
        .locator('.upload-empty')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop))
      expect(
        places.filter((top) => top === places[0]),
        `${phone.width}`,
      ).toHaveLength(3)
    }
    const choosing = page.waitForEvent('filechooser')
    await page.locator('.upload-empty').first().click()
    await choosing
    await addPhotos(page, script)
    await goOn(page)
    await step(page, 5)
    await goOn(page)
    await step(page, 6)
    for (const phone of PHONES) {
      await page.setViewportSize(phone)
      await fromTop(page)
      for (const shown of [
        page.getByText('By creating an account'),
        page.getByRole('button', { name: 'Create account' }),
      ])
        await expect(shown, `${phone.width}`).toBeInViewport({ ratio: 1 })
    }
    if (!script) return
    await test.step('on its side a phone shows what is looked over before the terms and the buttons', () =>
      expectReviewFirst(page))
    await test.step('whatever has the focus is above the terms and the buttons, which lie clear of each other', () =>
      expectAboveFoot(page))
  })

async function expectReviewFirst(page: Page): Promise<void> {
  await page.setViewportSize({ width: 568, height: 320 })
  await fromTop(page)
  for (const shown of [
    page.getByRole('heading', { name: 'Basics' }),
    page.getByRole('link', { name: /^Change/ }).first(),
  ]) {
    await expect(shown).toBeInViewport({ ratio: 1 })
    const isCovered = await shown.evaluate((element) => {
      const { x, y, height } = element.getBoundingClientRect()
      return !element.contains(document.elementFromPoint(x + 4, y + height / 2))
    })
    expect(isCovered).toBe(false)
  }
  for (const end of [page.getByText('By creating an account'), page.getByRole('button', { name: 'Create account' })]) {
    await end.scrollIntoViewIfNeeded()
    await expect(end).toBeInViewport({ ratio: 1 })
  }
}

const SCREENS = [...PHONES, { width: 320, height: 640 }, { width: 1280, height: 800 }]

/** What has the focus, and how much of it is below the top of the rows at the foot of the page that it is not in. */
const underFoot = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement ?? document.body
    const feet = [...document.querySelectorAll('.wizard-ways, .wizard-terms')].filter((foot) => !foot.contains(focused))
    const { bottom } = focused.getBoundingClientRect()
    const under = Math.max(0, ...feet.map((foot) => bottom - foot.getBoundingClientRect().top))
    const isAbove = feet.every((foot) => focused.compareDocumentPosition(foot) & Node.DOCUMENT_POSITION_FOLLOWING)
    return { name: focused.textContent ?? '', under: isAbove ? under : 0 }
  })

async function expectAboveFoot(page: Page): Promise<void> {
  for (const screen of SCREENS) {
    await page.setViewportSize(screen)
    await fromTop(page)
    const [terms, ways] = [await boxOf(page.locator('.wizard-terms')), await boxOf(page.locator('.wizard-ways'))]
    expect(terms.y + terms.height, `${screen.width}`).toBeLessThanOrEqual(ways.y)
    const links = page.getByRole('link', { name: /^Change/ })
    await links.first().focus()
    for (let more = await links.count(); more > 0; more--) {
      const { name, under } = await underFoot(page)
      expect(under, `${screen.width}: ${name}`).toBe(0)
      await page.keyboard.press('Tab')
    }
  }
}

import type { Locator, Page } from 'playwright'
import { codeOf } from '../../support/newcomers.ts'
import type { World } from '../../support/world.ts'
import { expect, test } from '../fixture.ts'
import { addPhotos, fillUntilPhotos, goOn, step, verifyEmail } from '../pages/sign-up.ts'

const PHONES = [
  { width: 390, height: 844 },
  { width: 375, height: 667 },
  { width: 360, height: 640 },
]

async function atPhotos(world: World, page: Page, firstName: string): Promise<void> {
  const email = `${firstName.toLowerCase()}.${Date.now()}@example.com`
  const newcomer = { email, firstName, readCode: () => codeOf(world, email) }
  await verifyEmail(page, newcomer)
  await fillUntilPhotos(page, newcomer)
}

const boxOf = async (one: Locator) => (await one.boundingBox())!
const fromTop = (page: Page) => page.evaluate(() => window.scrollTo(0, 0))

for (const script of [true, false])
  test(`on any phone both steps show first what they are about, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const page = await open({ phone: true, script })
    await atPhotos(world, page, `View${script}`)
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
  })

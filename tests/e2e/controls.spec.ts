import { PROOF_COOKIE } from '../../app/request/session-cookie.server.ts'
import { expect, hostCookie, test } from './fixture.ts'
import { registering } from './pages/cast.ts'

test('the sliders of the wizard look and work alike', async ({ world, open }) => {
  const page = await open({ phone: true })
  await page.context().addCookies([hostCookie(world, PROOF_COOKIE, await registering(world))])
  await page.goto('/register?step=2')
  const sliders = page.locator('input[type=range]')
  await expect(sliders).toHaveCount(3)
  const looks = await sliders.evaluateAll((all) => all.map((one) => getComputedStyle(one).appearance))
  expect(looks).toEqual(['none', 'none', 'none'])
  await expect(page.locator('.range-bar')).toHaveCount(2)
  const miles = sliders.last()
  const box = (await miles.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  expect(Math.abs(Number(await page.getByLabel('How far away, in miles').inputValue()) - 500)).toBeLessThan(20)
})

test('the button beside a town keeps its height beside an error', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ann'), phone: true, refusals: true })
  await page.goto('/discover')
  const set = page.getByRole('button', { name: 'Set' })
  const before = (await set.boundingBox())?.height
  await page.getByLabel('Or type your town').fill('Nowhereville')
  await set.click()
  await page.getByText('No town called').waitFor()
  expect((await set.boundingBox())?.height).toBe(before)
})

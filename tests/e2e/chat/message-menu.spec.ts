import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { axeFaults } from '../pages/faults.ts'
import { tabTo } from '../pages/keyboard.ts'
import { log, longRoom } from '../pages/long-room.ts'

const message = (page: Page, number: number) =>
  log(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(`Message ${number}`, { exact: true }) })
const button = (page: Page, number: number) => message(page, number).locator('summary')
const report = (page: Page, number: number) => message(page, number).getByRole('link', { name: 'Report' })

test('a message has one menu, by mouse, with its time, Copy and Report', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 12)
  const page = await open({ as: ann })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/chat/${bea.id}`)
  await expect(log(page).getByRole('link')).toHaveCount(0)
  await expect(button(page, 9)).toHaveCSS('opacity', '0')
  await message(page, 9).hover()
  await expect(button(page, 9)).toHaveCSS('opacity', '1')
  await button(page, 9).click()
  await expect(report(page, 9)).toHaveAttribute('href', new RegExp(`^/report/${bea.id}\\?message=`))
  await expect(message(page, 9).locator('.message-time')).toHaveText(/day\b.* \d+.*, \d\d:\d\d$/)
  expect(await axeFaults(page)).toEqual([])
  await message(page, 9).getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Message 9')
  // The newest message's opens upwards, where there is room.
  await message(page, 12).hover()
  await button(page, 12).click()
  await expect(report(page, 9)).toBeHidden()
  await expect(report(page, 12)).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(report(page, 12)).toBeHidden()
  await expect(button(page, 12)).toBeFocused()
  await message(page, 11).hover()
  await button(page, 11).click()
  await expect(message(page, 11).getByRole('button', { name: 'Copy' })).toBeVisible()
  await expect(report(page, 11)).toHaveCount(0)
})

test('by keyboard the messages are one stop, and arrows go from one to the next', async ({ world, open }) => {
  const [cat, dan] = await longRoom(world, ['Cat', 'Dan'], 12)
  const page = await open({ as: cat })
  await page.goto(`/chat/${dan.id}`)
  await tabTo(page, button(page, 12))
  for (const _ of '123') await page.keyboard.press('ArrowUp')
  await expect(button(page, 9)).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, report(page, 9))
  await page.keyboard.press('Escape')
  await expect(button(page, 9)).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Message to Dan')).toBeFocused()
})

for (const script of [true, false])
  test(`where nothing hovers a tap on the bubble opens its menu, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const [eve, fay] = await longRoom(world, ['Eve', 'Fay'], 12)
    const page = await open({ as: eve, phone: true, script })
    const devtools = await page.context().newCDPSession(page)
    const screen = { width: 390, height: 844, deviceScaleFactor: 1, mobile: true }
    await devtools.send('Emulation.setDeviceMetricsOverride', screen)
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await page.goto(`/chat/${fay.id}`)
    const { x, y, height } = (await message(page, 9).locator('.bubble').boundingBox())!
    await page.mouse.click(x + 20, y + height / 2)
    await expect(report(page, 9)).toBeVisible()
    await expect(message(page, 9).getByRole('button', { name: 'Copy' })).toHaveCount(script ? 1 : 0)
    await page.mouse.click(x + 20, y + height / 2)
    await expect(report(page, 9)).toBeHidden()
    await page.mouse.click(x + 20, y + height / 2)
    await report(page, 9).click()
    await expect(page).toHaveURL(new RegExp(`/report/${fay.id}`))
  })

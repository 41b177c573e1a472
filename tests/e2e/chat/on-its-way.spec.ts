import { expect, test } from '../fixture.ts'
import { axeFaults, colourFaults } from '../pages/faults.ts'
import { log, longRoom } from '../pages/long-room.ts'
import { leaveOnItsWay } from '../pages/on-its-way.ts'

test('a message that is on its way looks it, and can be read in every theme', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 1)
  const page = await open({ as: ann })
  await page.goto(`/chat/${bea.id}`)
  await leaveOnItsWay(page, 'On its way')
  const looks = (words: string) =>
    log(page)
      .locator('.bubble', { hasText: words })
      .evaluate((bubble) => `${getComputedStyle(bubble).backgroundColor} ${getComputedStyle(bubble).borderStyle}`)
  expect(await looks('On its way')).not.toBe(await looks('Message 1'))
  await expect(log(page).getByLabel('Sending')).toBeVisible()
  expect(await axeFaults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await colourFaults(page)).toEqual([])
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'buzz'))
  expect(await colourFaults(page)).toEqual([])
})

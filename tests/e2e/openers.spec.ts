import { countUnread } from '../../projections/conversations/unread.ts'
import { expect, test } from './fixture.ts'

const OPENER = 'Window seat or aisle?'

test('an opener comes after what was typed, takes the place of another one, and is gone once sent', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann })
  await page.goto(`/chat/${bea.id}`)
  const box = page.getByLabel('Message to Bea')
  const openers = page.locator('.opener')
  const texts = await openers.allTextContents()
  await openers.nth(0).click()
  await expect(box).toHaveValue(texts[0]!)
  await openers.nth(1).click()
  await expect(box).toHaveValue(texts[1]!)
  await box.fill('My own words.')
  await openers.nth(2).click()
  await expect(box).toHaveValue(`My own words. ${texts[2]}`)
  await expect(box).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log')).toContainText(`My own words. ${texts[2]}`)
  await expect(box).toHaveValue('')
  await expect(page).toHaveURL(`${world.url}/chat/${bea.id}`)
  await expect(box).toBeFocused()
  await page.reload()
  await expect(box).toHaveValue('')
})

test('an opener in the address is in the box, and neither a reload nor Back brings it again once sent', async ({
  world,
  open,
}) => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  await world.match(cat, dan)
  await world.settled()
  const page = await open({ as: cat })
  await page.goto(`/chat/${dan.id}?say=${encodeURIComponent(OPENER)}`)
  const box = page.getByLabel('Message to Dan')
  await expect(box).toHaveValue(OPENER)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log')).toContainText(OPENER)
  await expect(page).toHaveURL(`${world.url}/chat/${dan.id}`)
  await page.reload()
  await expect(page.getByRole('log')).toContainText(OPENER)
  await expect(box).toHaveValue('')
  await page.getByRole('navigation').getByRole('link', { name: 'Notifications' }).first().click()
  await page.waitForURL('**/notifications')
  await page.goBack()
  await expect(box).toHaveValue('')
})

test('an opener sent without a network waits in its room, and is stored once the network is back', async ({
  world,
  open,
}) => {
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  await world.match(eve, fay)
  await world.settled()
  const page = await open({ as: eve, phone: true, refusals: true })
  await page.goto(`/chat/${fay.id}?say=${encodeURIComponent(OPENER)}`)
  const [box, log] = [page.getByLabel('Message to Fay'), page.getByRole('log')]
  await expect(box).toHaveValue(OPENER)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(log).toContainText(OPENER)
  await expect(box).toHaveValue('')
  await page.context().setOffline(false)
  await expect(log.getByRole('img', { name: 'Sending' })).toHaveCount(0)
  await expect.poll(async () => (await countUnread(world.read, fay.id)).total).toBe(1)
})

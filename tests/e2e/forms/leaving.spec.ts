import { expect, test } from '../fixture.ts'

const LEAVE = 'What you typed on this page is not saved. Leave it?'

test('leaving asks where what was typed is kept nowhere, and stays or goes as the member answers', async ({
  world,
  open,
}) => {
  const [ann, cid] = [await world.member('Ann'), await world.member('Cid')]
  const page = await open({ as: ann })
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('There is no room.', 'QuotaExceededError')
    }
  })
  const asked: string[] = []
  let stays = true
  page.on('dialog', (dialog) => {
    asked.push(`${dialog.type()}: ${dialog.message()}`)
    return stays ? dialog.dismiss() : dialog.accept()
  })
  const leave = () => page.getByRole('link', { name: 'Notifications' }).locator('visible=true').first().click()
  await page.goto(`/report/${cid.id}`)
  await page.getByLabel('In your own words').fill('Kept nowhere')
  await leave()
  await expect.poll(() => asked).toEqual([`confirm: ${LEAVE}`])
  await expect(page).toHaveURL(`/report/${cid.id}`)
  await expect(page.getByLabel('In your own words')).toHaveValue('Kept nowhere')
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toEqual([`confirm: ${LEAVE}`, 'beforeunload: '])
  stays = false
  await leave()
  await expect(page).toHaveURL('/notifications')
  expect(asked).toHaveLength(3)
})

test('leaving asks nothing where a draft keeps what was typed', async ({ world, open }) => {
  const [bea, dot] = [await world.member('Bea'), await world.member('Dot')]
  const page = await open({ as: bea })
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    return dialog.accept()
  })
  await page.goto(`/report/${dot.id}`)
  await page.getByLabel('In your own words').fill('Kept in this tab')
  await page.getByRole('link', { name: 'Notifications' }).locator('visible=true').first().click()
  await expect(page).toHaveURL('/notifications')
  await page.goto(`/report/${dot.id}`)
  await expect(page.getByLabel('In your own words')).toHaveValue('Kept in this tab')
  expect(asked).toEqual([])
})

test('a sheet asks before it closes over what is kept nowhere', async ({ world, open }) => {
  const page = await open({ as: await world.member('Eve') })
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('There is no room.', 'QuotaExceededError')
    }
  })
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    return dialog.dismiss()
  })
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('Kept nowhere')
  await page.keyboard.press('Escape')
  await expect.poll(() => asked).toEqual([LEAVE])
  await expect(page.getByRole('dialog').getByLabel('Bio')).toHaveValue('Kept nowhere')
})

import { expect, test } from '../fixture.ts'
import { log, longRoom } from '../pages/long-room.ts'

test('a room on a phone has one bar of 56 px, with the way back', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 30)
  for (const script of [true, false]) {
    const page = await open({ as: ann, phone: true, script })
    await page.goto(`/chat/${bea.id}`)
    const room = await log(page).boundingBox()
    expect(room?.y).toBe(56)
    await page.getByRole('link', { name: 'Back to your matches' }).click()
    await expect(page.getByRole('link', { name: 'LetsBuzz, start page' })).toBeVisible()
  }
})

test('an empty message box is one line high, however long the name of the other is', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Maximiliane-Wilhelmina'.padEnd(50, 'w'))]
  await world.match(ann, bea)
  await world.settled()
  for (const script of [true, false]) {
    const page = await open({ as: ann, phone: true, script })
    await page.goto(`/chat/${bea.id}`)
    expect((await page.getByLabel(/^Message to/).boundingBox())!.height).toBeLessThan(56)
  }
})

test('the message box is three keys away, also on a desktop with many matches', async ({ world, open }) => {
  const [cat, dan] = await longRoom(world, ['Cat', 'Dan'], 60)
  for (const phone of [true, false]) {
    const page = await open({ as: cat, phone })
    await page.goto(`/chat/${dan.id}`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to writing' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Message to Dan')).toBeFocused()
    await page.keyboard.type('No mouse')
    await page.keyboard.press('Enter')
    await expect(log(page)).toContainText('No mouse')
  }
})

test('on a phone the note that the server is away lies over nothing of a room', async ({ world, open }) => {
  const [eve, fay] = await longRoom(world, ['Eve', 'Fay'], 3)
  const page = await open({ as: eve, phone: true, refusals: true })
  await page.routeWebSocket('**/realtime', (socket) => socket.close({ code: 1013 }))
  await page.goto(`/chat/${fay.id}`)
  const note = page.getByRole('status').filter({ hasText: 'LetsBuzz does not answer right now.' })
  await expect(note).toBeInViewport({ ratio: 1 })
  await page.getByRole('link', { name: 'Back to your matches' }).click({ timeout: 5_000 })
  await expect(page).toHaveURL('/chat')
})

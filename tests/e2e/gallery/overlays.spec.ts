import { expect, test } from '../fixture.ts'
import { expectModal } from '../pages/keyboard.ts'

const HERE = '/dev/gallery/overlays'

test('a panel stands at the side of a wide window and at the foot of a phone, and keeps the focus', async ({
  open,
}) => {
  for (const phone of [true, false]) {
    const page = await open({ phone })
    await page.goto(HERE)
    const opener = page.getByRole('link', { name: 'Panel' })
    await opener.click()
    const panel = page.getByRole('dialog', { name: 'Comments' })
    const window = page.viewportSize()!
    const edges = async () => {
      const { x, y, width, height } = (await panel.boundingBox())!
      return { left: Math.round(x), top: Math.round(y), right: Math.round(x + width), foot: Math.round(y + height) }
    }
    if (phone) await expect.poll(edges).toMatchObject({ left: 0, right: window.width, foot: window.height })
    else await expect.poll(edges).toMatchObject({ top: 0, right: window.width, foot: window.height })
    expect((await edges())[phone ? 'top' : 'left']).toBeGreaterThan(40)
    await expectModal(page, panel)
    await expect(opener).toBeFocused()
  }
})

test('without script a panel stands open over its page, and Close is a link', async ({ open }) => {
  const page = await open({ script: false, phone: true })
  await page.goto(HERE)
  await page.getByRole('link', { name: 'More about the hills' }).click()
  await page.getByRole('dialog', { name: 'Comments' }).getByRole('link', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the sheet of an element is a panel at its side from 1024 px, and is dragged down at its foot', async ({
  open,
}) => {
  const page = await open()
  await page.goto(HERE)
  const more = page.getByRole('button', { name: 'More about the hills' })
  const sheet = page.getByRole('dialog', { name: 'The hills' })
  const frame = page.locator('.overlay-frame')
  await more.click()
  await expect
    .poll(async () => Math.round((await sheet.boundingBox())!.y))
    .toBe(Math.round((await frame.boundingBox())!.y))
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await more.click()
  const head = sheet.getByText('The hills')
  // Not before it stands still.
  await head.hover()
  const { x, y } = (await head.boundingBox())!
  await page.mouse.down()
  await page.mouse.move(x + 40, y + 140, { steps: 4 })
  await page.mouse.up()
  await expect(sheet).toHaveCount(0)
})

for (const script of [true, false]) {
  test(`a popover opens where there is room, ${script ? 'with' : 'without'} script`, async ({ open }) => {
    const page = await open({ script })
    await page.goto(HERE)
    const button = page.getByRole('button', { name: 'About the end of the row' })
    const box = page.getByRole('dialog', { name: 'About the end of the row' })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(box).toBeVisible()
    await expect(button).toHaveAttribute('popovertarget', /.+/)
    const below = (await box.boundingBox())!
    const at = (await button.boundingBox())!
    expect(below.y).toBeGreaterThanOrEqual(at.y + at.height)
    expect(Math.round(below.x + below.width)).toBe(Math.round(at.x + at.width))
    await page.keyboard.press('Escape')
    await expect(box).toBeHidden()
    await expect(button).toBeFocused()
    // With no room below, it opens above; with none beside, it stays in the window.
    await page.setViewportSize({ width: 360, height: 420 })
    await button.evaluate((one) => one.scrollIntoView({ block: 'end', behavior: 'instant' }))
    await button.click()
    const above = (await box.boundingBox())!
    expect(above.y + above.height).toBeLessThanOrEqual((await button.boundingBox())!.y)
    expect(above.x).toBeGreaterThanOrEqual(0)
    expect(above.x + above.width).toBeLessThanOrEqual(360)
  })
}

test('the action of a toast is done once, and takes the toast away', async ({ open }) => {
  const page = await open({ phone: true })
  await page.goto(HERE)
  await page.getByRole('button', { name: 'With an action' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('It is back.')).toBeVisible()
  await expect(page.getByText('Hidden from your feed.')).toHaveCount(0)
})

for (const script of [true, false]) {
  test(`what cannot be taken back is asked first, ${script ? 'with' : 'without'} script`, async ({ open }) => {
    const page = await open({ script })
    await page.goto(HERE)
    await page.getByRole('link', { name: 'Delete…' }).click()
    const asked = page.getByRole('dialog', { name: 'Delete this post?' })
    await asked.getByRole('link', { name: 'Cancel' }).click()
    await expect(asked).toHaveCount(0)
    await page.getByRole('link', { name: 'Delete…' }).click()
    await asked.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Confirmed. Nothing was deleted.')).toBeVisible()
    await expect(asked).toHaveCount(0)
  })
}

import { expect, test } from '../fixture.ts'

const LOW = [
  [640, 400],
  [320, 640],
  [667, 375],
] as const

test('in a low window a portrait is as wide as the page and leaves what can be done in view', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.join('Ann'), await world.join('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  for (const [width, height] of LOW) {
    await page.setViewportSize({ width, height })
    await page.goto(`/viewProfile/${bea.id}`)
    const portrait = (await page.locator('.person-portrait').boundingBox())!
    expect([portrait.x, portrait.width]).toEqual([0, width])
    expect(portrait.height).toBeLessThanOrEqual(height / 2)
    const act = page.getByRole('main').getByRole('link', { name: 'Chat', exact: true })
    const bar = page.locator('.nav-bottom')
    const [button, foot] = [(await act.boundingBox())!, (await bar.boundingBox())!]
    expect(button.y + button.height, `${width} × ${height}`).toBeLessThanOrEqual(foot.y)
  }
})

import { expect, test } from '../fixture.ts'

const QAQORTOQ = { lat: 60.72, lng: -46.04 }

test('on a phone on its side a match has its box and the way on in view', async ({ world, open }) => {
  const [ann, bea] = [
    await world.member('Ann', { location: QAQORTOQ }),
    await world.member('Bea', { location: QAQORTOQ }),
  ]
  await world.buzz(bea, ann)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  await page.setViewportSize({ width: 844, height: 390 })
  await page.goto(`/viewProfile/${bea.id}`)
  await page.getByRole('button', { name: 'Buzz to Unlock' }).click()
  const scene = page.getByRole('dialog')
  await expect(scene.getByRole('heading', { name: "It's a match!" })).toBeVisible()
  for (const window of [
    { width: 844, height: 390 },
    { width: 640, height: 360 },
    { width: 640, height: 400 },
    { width: 568, height: 320 },
  ]) {
    await page.setViewportSize(window)
    for (const part of [
      scene.getByRole('heading'),
      scene.getByRole('textbox'),
      scene.getByRole('button', { name: 'Keep looking' }),
    ])
      await expect(part).toBeInViewport({ ratio: 1 })
  }
})

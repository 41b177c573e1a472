import { expect, test } from '../fixture.ts'

const HAMMERFEST = { lat: 70.664, lng: 23.688 }

for (const script of [true, false])
  test(`a place is changed and forgotten from the filters of Discover on, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    await world.member('Ann', { location: HAMMERFEST })
    const bea = await world.member('Bea', { location: HAMMERFEST })
    await world.settled()
    const page = await open({ as: bea, phone: true, script, refusals: true })
    await page.goto('/discover')
    await page.locator('summary', { hasText: 'Filters' }).click()
    await page.getByRole('link', { name: 'Change where distances are from' }).click()
    await expect(page.getByRole('heading', { name: 'What is kept' })).toBeVisible()
    await page.getByLabel('Your town').fill('Springfield')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByRole('button', { name: 'Springfield, Massachusetts, United States' }).click()
    await expect(page.getByText('Your location is set: Springfield, Massachusetts, United States.')).toBeVisible()
    await expect(page.getByLabel('Your town')).toHaveValue('')
    await expect(page.getByText('There is more than one.')).toHaveCount(0)
    await page.getByRole('link', { name: 'Forget my location' }).click()
    await page.getByRole('button', { name: 'Forget it' }).click()
    await expect(page.getByText('Your location is forgotten.')).toBeVisible()
    await expect(page.getByText('Nothing is kept')).toBeVisible()
  })

test('with script the browser’s position takes the place of a town', async ({ world, open }) => {
  const cid = await world.member('Cid')
  const page = await open({ as: cid })
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: 59.9139, longitude: 10.7522 })
  await page.goto('/settings/location')
  await page.getByLabel('Your town').fill('Lisbon')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await expect(page.getByText('Your location is set: Lisbon, Portugal.')).toBeVisible()
  await page.getByRole('button', { name: 'Use my location' }).click()
  await expect(page.getByText('Near Oslo, Norway, as your browser said')).toBeVisible()
  await expect(page.getByText('Your location is set: near Oslo, Norway.')).toBeVisible()
})

for (const script of [true, false])
  test(`an empty town is refused in words of ours at the field, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const page = await open({ as: await world.member('Dan'), phone: true, script, refusals: true })
    for (const path of ['/settings/location', '/discover']) {
      await page.goto(path)
      const town = page.getByLabel('Your town')
      const folded = page.locator('.location-form:not([open]) summary')
      if (await folded.count()) await folded.click()
      await page.getByRole('button', { name: 'Set', exact: true }).click()
      await expect(page.locator('.field-error'), path).toContainText('Type a town')
      await expect(town, path).toHaveAccessibleDescription(/Type a town/)
    }
  })

import type { Page } from 'playwright'
import { expect, test } from './fixture.ts'

const TROMSO = { lat: 69.65, lng: 18.96 }
const SET = 'Your location is set'

/** Where a page starts to answer keys anew: the deck, or what is shown in its place. */
const deck = (page: Page) => page.getByRole('region', { name: 'People near you' })

test('a town that is refused has the focus, also after the browser kept its position to itself', async ({
  world,
  open,
}) => {
  await world.member('Ann', { location: TROMSO })
  const bea = await world.member('Bea')
  await world.settled()
  const page = await open({ as: bea, phone: true, refusals: true })
  await page.goto('/discover')
  await page.getByRole('button', { name: 'Use my location' }).click()
  const denied = page.getByText('Type your town instead.', { exact: false })
  await expect(denied).toBeInViewport()
  const town = page.getByLabel('Your town')
  await expect(town).toBeFocused()
  await town.fill('Xyzzyville')
  await page.getByRole('button', { name: 'Set' }).click()
  await expect(town).toHaveAccessibleDescription(/No town called Xyzzyville is in the list/)
  await expect(town).toBeFocused()
  await expect(denied).toHaveCount(0)
})

test('once the location is set, the focus is on the deck and the page reads out that it is', async ({
  world,
  open,
}) => {
  await world.member('Cat', { location: TROMSO })
  const [dan, eve] = [await world.member('Dan'), await world.member('Eve')]
  await world.settled()
  const page = await open({ as: dan })
  await page.goto('/discover')
  await page.locator('.location-form summary').press('Enter')
  await page.getByLabel('Your town').fill('Tromsø')
  await page.getByLabel('Your town').press('Enter')
  await expect(deck(page)).toBeFocused()
  await expect(page.getByRole('status').getByText(`${SET}: Tromsø, Norway.`)).toBeVisible()
  await page.locator('summary', { hasText: 'Filters' }).click()
  await expect(page.getByText('Distances are from Tromsø, Norway')).toBeVisible()

  const other = await open({ as: eve })
  await other.context().grantPermissions(['geolocation'])
  await other.context().setGeolocation({ latitude: TROMSO.lat, longitude: TROMSO.lng })
  await other.goto('/discover')
  await other.getByRole('button', { name: 'Use my location' }).press('Enter')
  await expect(deck(other)).toBeFocused()
  await expect(other.getByRole('status').getByText(SET)).toBeAttached()
})

test('a position that the browser gives after a town was set is not sent', async ({ world, open }) => {
  await world.member('Gil', { location: TROMSO })
  const fay = await world.member('Fay')
  await world.settled()
  const page = await open({ as: fay, phone: true })
  await page.addInitScript(() => {
    const getCurrentPosition = (given: PositionCallback) =>
      addEventListener('late-position', () =>
        given({ coords: { latitude: 48.2, longitude: 16.37 } } as GeolocationPosition),
      )
    Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition } })
  })
  await page.goto('/discover')
  await page.getByRole('button', { name: 'Use my location' }).click()
  await page.locator('.location-form summary').click()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''))
  await page.getByLabel('Your town').fill('Tromsø')
  await page.getByRole('button', { name: 'Set' }).click()
  await expect(page.getByRole('status').getByText(SET)).toBeAttached()
  await page.evaluate(() => dispatchEvent(new Event('late-position')))
  await page.evaluate(() => fetch('/favicon.svg', { cache: 'no-store' }).then((answer) => answer.status))
  expect(sent).toEqual([expect.stringContaining('town=Troms')])
})

for (const path of ['/discover', '/settings/location'])
  test(`in a low window a refused position leads to the field, and a town is refused aloud: ${path}`, async ({
    world,
    open,
  }) => {
    await world.member('Hal', { location: TROMSO })
    const page = await open({ as: await world.member('Ida'), phone: true, refusals: true })
    await page.setViewportSize({ width: 568, height: 320 })
    await page.goto(path)
    await page.getByRole('button', { name: 'Use my location' }).press('Enter')
    const town = page.getByLabel('Your town')
    await expect(town).toBeFocused()
    await expect(page.getByText('Type your town instead.', { exact: false })).toBeInViewport()
    await expect(town).toBeInViewport({ ratio: 1 })

    const alert = page.getByRole('alert')
    await town.fill('Xyzzyville')
    await town.press('Enter')
    await expect(alert.getByText('No town called Xyzzyville is in the list.', { exact: false })).toBeAttached()
    await expect(town).toBeFocused()
    await town.fill('Amsterdam')
    await page.getByRole('button', { name: 'Set', exact: true }).press('Enter')
    await expect(alert.getByText('There is more than one. Which one is yours?')).toBeAttached()
    await expect(town).toBeFocused()
    const choices = page.getByRole('group', { name: 'Towns called Amsterdam' })
    expect(await choices.getByRole('button').count()).toBeGreaterThan(1)
  })

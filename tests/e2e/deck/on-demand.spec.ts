import { expect, test } from '../fixture.ts'

const VARDO = { lat: 70.37, lng: 31.11 }
const BACK = 'What you typed here before is back, and not sent yet.'

test('a town that was typed comes back as soon as its field is on the page, and the page says so', async ({
  world,
  open,
}) => {
  await world.member('Ada', { location: VARDO })
  const page = await open({ as: await world.member('Liv'), phone: true })
  await page.goto('/discover')
  const town = page.getByLabel('Your town')
  if (!(await town.isVisible())) await page.locator('.location-form summary').click()
  await town.fill('Hammerfest')
  await page.waitForFunction(() => Object.values(sessionStorage).join().includes('Hammerfest'))
  let letFieldCome = () => {}
  const field = new Promise<void>((resolve) => {
    letFieldCome = resolve
  })
  await page.route(/\/assets\/location-sheet-.*\.js$/, async (route) => {
    await field
    await route.continue()
  })
  const keeping = page.waitForResponse(/\/assets\/keeping-.*\.js$/)
  await page.reload()
  await (await keeping).finished()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestIdleCallback(drawn))))
  letFieldCome()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.locator('[name=town]')).toHaveValue('Hammerfest')
})

for (const [name, script, summary, field] of [
  ['filters', /\/assets\/filter-form-.*\.js$/, '.deck-filters > summary', '.deck-filter-form [name=distanceMiles]'],
  ['question for the place', /\/assets\/location-sheet-.*\.js$/, '.location-form > summary', '[name=town]'],
] as const) {
  test(`where the script of the ${name} does not come, the page says so, and offers to be loaded again`, async ({
    world,
    open,
  }) => {
    await world.member('Ada', { location: VARDO })
    const page = await open({ as: await world.member('Mio'), phone: true, refusals: true })
    await page.route(script, (route) => route.abort())
    await page.goto('/discover')
    await page.locator(summary).click()
    await expect(page.getByText('This did not load.')).toBeVisible()
    await page.unroute(script)
    await page.getByRole('link', { name: 'Load the page again' }).click()
    await expect(page.getByText('This did not load.')).toHaveCount(0)
    await page.locator(summary).click()
    await expect(page.locator(field)).toBeVisible()
  })
}

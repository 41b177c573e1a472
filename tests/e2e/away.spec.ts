import { pagesOverSilentLog, type SilentPages } from '../support/away.ts'
import { expect, test as product } from './fixture.ts'

const AWAY = 'LetsBuzz is not answering right now. Please try again in a moment.'
const OSLO = { lat: 59.91, lng: 10.75 }
const BERGEN = { lat: 60.39, lng: 5.32 }

/** Named before `open` by each test, so that its browsers are gone when these pages end. */
const test = product.extend<{ away: SilentPages }>({
  away: async ({ world }, use) => {
    const away = await pagesOverSilentLog(world)
    await use(away)
    await away.stop()
  },
})

const pageOf = ({ port }: SilentPages, path: string) => `http://localhost:${port}${path}`

test('while the log is away a skip says so once, and the card comes back', async ({ world, away, open }) => {
  const [ann] = [await world.member('Ann', { location: OSLO }), await world.member('Bea', { location: OSLO })]
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.goto(pageOf(away, '/discover'))
  await page.getByRole('button', { name: 'Skip Bea' }).click()
  await expect(page.getByText(AWAY)).toHaveCount(1)
  await expect(page.getByRole('article', { name: /Bea/ })).toBeVisible()
})

test('while the log is away the undo of a skip says so', async ({ world, away, open }) => {
  const [fay, gil] = [await world.member('Fay', { location: BERGEN }), await world.member('Gil', { location: BERGEN })]
  await world.api('/discover/skip', { as: fay, method: 'POST', body: JSON.stringify({ to: gil.id }) })
  await world.settled()
  const page = await open({ as: fay, phone: true, refusals: true })
  await page.goto(pageOf(away, '/discover'))
  await page.getByRole('button', { name: 'Undo the last skip' }).click()
  await expect(page.getByText(AWAY)).toHaveCount(1)
})

test('while the log is away a message sent without script is kept as it was typed', async ({ world, away, open }) => {
  const [dan, eve] = [await world.member('Dan'), await world.member('Eve')]
  await world.match(dan, eve)
  await world.settled()
  const page = await open({ as: dan, phone: true, script: false, refusals: true })
  await page.goto(pageOf(away, `/chat/${eve.id}`))
  await page.getByLabel('Message to Eve').fill('Tea at five?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(AWAY)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible()
})

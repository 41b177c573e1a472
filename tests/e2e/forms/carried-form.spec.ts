import type { Page } from 'playwright'
import type { Person } from '../../support/world-people.ts'
import { expect, test } from '../fixture.ts'

const NOT_SENT = 'You are signed in again. What you typed is here, and was not sent yet.'
const TYPED = 'She asked for money'

async function signIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const carriedBy = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name.startsWith('__Host-typed'))

/** A report that is sent once nobody is signed in any more, without script. */
async function reportSignedOut(page: Page, about: Person, typed = TYPED): Promise<void> {
  await page.goto(`/report/${about.id}`)
  await page.getByLabel('In your own words').fill(typed)
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Send report' }).click()
}

test('without script a form whose session is over is back after the login, and not sent by itself', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const page = await open({ as: ann, script: false, refusals: true })
  await reportSignedOut(page, bea)
  await expect(page.getByText('Log in to go on.')).toBeVisible()
  expect((await carriedBy(page)).map(({ value }) => value).join()).not.toContain('money')
  await signIn(page, ann)
  await expect(page).toHaveURL(`${world.url}/report/${bea.id}`)
  await expect(page.getByText(NOT_SENT)).toBeVisible()
  await expect(page.getByLabel('In your own words')).toHaveValue(TYPED)
  expect(await carriedBy(page)).toEqual([])
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
})

test('without script another member who signs in sees nothing of it, and it is gone', async ({ world, open }) => {
  const [cid, dot, eve] = [await world.member('Cid'), await world.member('Dot'), await world.member('Eve')]
  const page = await open({ as: cid, script: false, refusals: true })
  await reportSignedOut(page, eve)
  expect(await carriedBy(page)).not.toEqual([])
  await signIn(page, dot)
  await expect(page.getByLabel('In your own words')).toHaveValue('')
  await expect(page.getByText(NOT_SENT)).toHaveCount(0)
  expect(await carriedBy(page)).toEqual([])
})

test('without script more than is carried stays on a page that leads to the login', async ({ world, open }) => {
  const [fay, gus] = [await world.member('Fay'), await world.member('Gus')]
  const page = await open({ as: fay, script: false, refusals: true })
  const long = Array.from({ length: 4_000 }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)))
  await reportSignedOut(page, gus, long.join(''))
  await expect(page.getByRole('link', { name: 'Log in in another tab' })).toBeVisible()
  await page.context().addCookies([
    {
      name: '__Host-buzz',
      value: fay.token,
      url: world.url.replace('http:', 'https:'),
      secure: true,
      httpOnly: true,
    },
  ])
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByLabel('In your own words')).toHaveValue(long.join(''))
})

test('without script a section of the profile and a message are back as well, a first one too', async ({
  world,
  open,
}) => {
  const [hal, ida] = [await world.member('Hal'), await world.member('Ida')]
  await world.match(hal, ida)
  await world.settled()
  for (const [path, label, button] of [
    ['/profile/edit?section=place', 'City', 'Save where you live'],
    [`/chat/${ida.id}`, 'Message to Ida', 'Send'],
    [`/match/${ida.id}`, 'Message to Ida', 'Send'],
  ] as const) {
    const page = await open({ as: hal, script: false, refusals: true })
    await page.goto(path)
    await page.getByLabel(label).fill('Porto')
    await page.context().clearCookies()
    await page.getByRole('button', { name: button, exact: true }).click()
    await signIn(page, hal)
    await expect(page.getByLabel(label)).toHaveValue('Porto')
    await expect(page.getByText(NOT_SENT)).toBeVisible()
  }
})

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FEW_PROCESSES, launchBrowser, VISITOR } from '../../support/browser.ts'
import { holdPages } from '../../support/described/hold-pages.ts'
import { type Claims, type FakeGoogle, GOOGLE_CLIENT, startGoogle } from '../../support/outside/google.ts'
import { memberOfGoogle } from '../../support/outside/google-visit.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
let fake: FakeGoogle
beforeAll(async () => {
  fake = await startGoogle()
  world = await startWorld({ config: { google: GOOGLE_CLIENT } })
}, 300_000)
afterAll(async () => {
  await world?.stop()
  fake?.stop()
})

/** A visitor's browser, and their way through Google once they press the button. */
async function visitor(claims: Claims, script: boolean) {
  const browser = await launchBrowser(FEW_PROCESSES)
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ ...VISITOR, javaScriptEnabled: script })
  const looked = holdPages(context)
  const page = await context.newPage()
  page.setDefaultTimeout(12_000)
  const google = { link: '' }
  await page.route(`${world.url}/auth/google`, async (route) => {
    const led = await route.fetch({ maxRedirects: 0 })
    const asked = new URL(led.headers().location ?? '').searchParams
    const code = fake.code({ ...claims, nonce: asked.get('nonce') ?? '' })
    google.link = `${asked.get('redirect_uri')}?${new URLSearchParams({ state: asked.get('state') ?? '', code })}`
    await route.fulfill({ response: led, status: 200, contentType: 'text/html', body: '<p>On to Google' })
  })
  await page.route('https://accounts.google.com/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${google.link.replaceAll('&', '&amp;')}">Agree</a>` }),
  )
  async function agree() {
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByText('On to Google').waitFor()
    await page.goto('https://accounts.google.com/')
    await page.getByRole('link', { name: 'Agree' }).click()
  }
  return { page, agree, looked }
}

test.each([true, false])('who signs in with Google gets the filters that they came for; script %s', async (script) => {
  const { claims } = await memberOfGoogle(world, fake, script ? 'Pia' : 'Quin')
  const { page, agree, looked } = await visitor(claims, script)
  await page.goto(`${world.url}/discover?ageMin=25&ageMax=30`)
  await agree()
  await page.getByRole('heading', { name: 'Discover', exact: true }).waitFor()
  expect(page.url()).toBe(`${world.url}/discover?ageMin=25&ageMax=30`)
  await looked()
})

test('where Google refuses the site, its visitor is back at the login, with words, and gets there in another try', async () => {
  const { claims } = await memberOfGoogle(world, fake, 'Rio')
  const { page, agree, looked } = await visitor(claims, true)
  fake.changeSecret()
  onTestFinished(() => fake.mend())
  await page.goto(`${world.url}/discover?ageMin=25&ageMax=30`)
  await agree()
  await page.getByText('Signing in with Google does not work right now.').waitFor()
  fake.mend()
  await agree()
  await page.getByRole('heading', { name: 'Discover', exact: true }).waitFor()
  expect(page.url()).toBe(`${world.url}/discover?ageMin=25&ageMax=30`)
  await looked()
})

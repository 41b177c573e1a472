import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { expect, hostCookie, test } from '../fixture.ts'

test('after a sign-out in another tab the same member finds what was typed, and nothing was sent', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const page = await open({ as: ann, refusals: true })
  await page.goto(`/report/${bea.id}`)
  await page.getByLabel('In your own words').fill('She asked for money')
  const other = await page.context().newPage()
  await other.goto('/notifications')
  await other.getByRole('banner').getByRole('button', { name: 'Signout' }).click()
  await expect(other).toHaveURL('/')
  // What the browser has written to its disk by then it clears here too, at the word of the sign-out.
  await page.evaluate(() => sessionStorage.clear())
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Freport%2F/)
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByLabel('In your own words')).toHaveValue('She asked for money')
  await expect(page.getByRole('heading', { name: 'Thank you' })).toHaveCount(0)
})

test('an open page shows nothing of it to another member who is signed in by then', async ({ world, open }) => {
  const [cid, dot, eve] = [await world.member('Cid'), await world.member('Dot'), await world.member('Eve')]
  const page = await open({ as: cid, refusals: true })
  await page.goto(`/report/${eve.id}`)
  await page.getByLabel('In your own words').fill('Not for Dot')
  await page.context().addCookies([hostCookie(world, SESSION_COOKIE, dot.token)])
  await page.evaluate(() => window.__remixRouter.revalidate())
  await expect(page.getByLabel('In your own words')).toHaveValue('')
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('Not for Dot')
})

test('messages that wait become nobody else’s who is signed in by then', async ({ world, open }) => {
  const [fay, gus, hal] = [await world.member('Fay'), await world.member('Gus'), await world.member('Hal')]
  await world.match(fay, gus)
  await world.settled()
  const page = await open({ as: fay, phone: true, refusals: true })
  await page.goto(`/chat/${gus.id}`)
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByLabel('Message to Gus').fill('Not from Hal')
  await page.getByRole('button', { name: 'Send' }).click()
  const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
  await expect.poll(kept).toContain('Not from Hal')
  await page.context().addCookies([hostCookie(world, SESSION_COOKIE, hal.token)])
  await page.context().setOffline(false)
  await page.evaluate(() => window.__remixRouter.navigate('/profile'))
  await expect(page.getByRole('heading', { name: 'Hal' }).first()).toBeVisible()
  await expect.poll(kept).not.toContain('Not from Hal')
})

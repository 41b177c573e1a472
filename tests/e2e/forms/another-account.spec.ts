import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { expect, hostCookie, test } from '../fixture.ts'

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: an old login says as whom its browser is signed in by now, and leads on who is the same`, async ({
    world,
    open,
  }) => {
    const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
    const page = await open({ phone: true, script, refusals: true })
    const notice = page.getByText('You are signed in as Ann. Sign out first to use another account.')
    for (const who of [bea, ann]) {
      await page.context().clearCookies()
      await page.goto('/login?redirectTo=%2Fnotifications')
      await page.context().addCookies([hostCookie(world, SESSION_COOKIE, ann.token)])
      await page.getByLabel('E-mail').fill(` ${who.email.toUpperCase()}`)
      await page.getByLabel('Password', { exact: true }).fill(who.password)
      await page.getByRole('button', { name: 'Log in' }).click()
      await expect(page).toHaveURL(who === bea ? /\/profile\?/ : /\/notifications$/)
      await expect(notice).toHaveCount(who === bea ? 1 : 0)
    }
  })
}

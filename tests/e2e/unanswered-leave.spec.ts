import type { Page } from 'playwright'
import { expect, test } from './fixture.ts'
import { loadedAhead } from './pages/loaded-ahead.ts'

/** What is sent gets no answer, or a bad gateway's; pages are read as ever. */
const cut = (page: Page, how: 'lost' | 'bad gateway') =>
  page.route('**/*', (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    if (how === 'lost') return route.abort('connectionreset')
    return route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' })
  })

for (const how of ['lost', 'bad gateway'] as const) {
  test(`${how}: a deactivation that is not answered says so in its dialog, and can be sent again`, async ({
    world,
    open,
  }) => {
    const page = await open({ as: await world.member('Ann'), phone: true, refusals: true })
    await page.goto('/settings/delete?confirm=deactivate')
    const dialog = page.getByRole('dialog', { name: 'Deactivate account' })
    const button = dialog.getByRole('button', { name: 'Deactivate' })
    await cut(page, how)
    await button.click()
    await expect(dialog.getByRole('alert').getByRole('paragraph')).toHaveText('Could not deactivate account.')
    await expect(dialog.getByRole('alert').getByRole('button')).toHaveText(['Retry'])
    await page.unroute('**/*')
    const loaded = page.waitForEvent('load')
    await button.click()
    await loaded
    await expect(page).toHaveURL('/?deactivated')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  })

  test(`${how}: a deletion that is not answered keeps the word that was typed, and can be sent again`, async ({
    world,
    open,
  }) => {
    const bea = await world.member('Bea')
    const page = await open({ as: bea, phone: true, refusals: true })
    await page.goto('/settings/delete')
    await page.getByRole('textbox', { name: 'Password' }).fill(bea.password)
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    const word = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' })
    await word.fill('DELETE')
    await cut(page, how)
    await dialog.getByRole('button', { name: 'Delete for ever' }).click()
    await expect(dialog.getByRole('alert').getByRole('paragraph')).toHaveText('Could not delete account.')
    await expect(dialog.getByRole('alert').getByRole('button')).toHaveText(['Retry'])
    await expect(word).toHaveValue('DELETE')
    await page.unroute('**/*')
    const loaded = page.waitForEvent('load')
    await dialog.getByRole('button', { name: 'Delete for ever' }).click()
    await loaded
    await expect(page.getByText('Your account is deleted')).toBeVisible()
  })

  test(`${how}: a sign-out that is not answered says so where it was pressed, and can be pressed again`, async ({
    world,
    open,
  }) => {
    const [cid, dot] = [await world.member('Cid'), await world.member('Dot')]
    const page = await open({ as: cid, refusals: true })
    await page.goto(`/report/${dot.id}`)
    await page.getByLabel('In your own words').fill('Typed before')
    await cut(page, how)
    const signOut = page.getByRole('banner').getByRole('button', { name: 'Signout' })
    await signOut.click()
    await expect(page.getByText('You are still signed in.')).toBeVisible()
    await expect(page).toHaveURL(`/report/${dot.id}`)
    await expect(page.getByLabel('In your own words')).toHaveValue('Typed before')
    await page.unroute('**/*')
    await signOut.click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  })
}

test('without network a member stays signed in on the page, and hears of it', async ({ world, open }) => {
  const page = await open({ as: await world.member('Dan'), refusals: true, ahead: true })
  await page.goto('/notifications')
  await loadedAhead(page, 'routes/signout')
  await page.context().setOffline(true)
  await page.getByRole('banner').getByRole('button', { name: 'Signout' }).click()
  await expect(page.getByText('Network error. You are still signed in.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
})

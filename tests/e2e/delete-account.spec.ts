import type { Page } from 'playwright'
import { RECENT_MS } from '../../usecases/identity/prove.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'
import { signInAs } from './pages/sign-in.ts'

/** As if the member had proved long ago who they are. */
const longAgo = (world: World, { id }: Person) => {
  const auth_at = new Date(Date.now() - RECENT_MS - 1_000)
  return world.core.storage.app.updateTable('session').set({ auth_at }).where('member', '=', id).execute()
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: a member deletes the account, and is gone for a match and on every tab`, async ({ world, open }) => {
    test.setTimeout(120_000)
    const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
    await world.match(ann, bea)
    await world.settled()
    await world.sendMessage(ann, bea, 'Hello from Ann')
    await world.settled()
    const page = await open({ as: ann, phone: true, script, refusals: true })
    const other = await page.context().newPage()
    await other.goto('/discover')
    await page.goto('/settings/delete')
    await page.getByRole('textbox', { name: 'Password' }).fill('somebody-elses-77')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expect(page.getByRole('alert')).toContainText('That is not your password.')
    await page.getByRole('textbox', { name: 'Password' }).fill(ann.password)
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    await test.step('a password that was right in the end leaves no refusal behind the dialog', async () => {
      await dialog.getByRole('link', { name: 'Cancel' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'Manage Account' })).toBeVisible()
      await expect(page.getByText('That is not your password.')).toHaveCount(0)
    })
    await page.getByRole('textbox', { name: 'Password' }).fill(ann.password)
    await page.getByRole('button', { name: 'Delete account' }).click()
    const word = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' })
    await word.fill('No')
    await dialog.getByRole('button', { name: 'Delete for ever' }).click()
    await expect(dialog.getByText('Type DELETE to confirm.')).toBeVisible()
    if (script) await expect(word).toBeFocused()
    await word.fill('DELETE')
    await dialog.getByRole('button', { name: 'Delete for ever' }).click()
    await expect(page.getByText('Your account is deleted')).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/')
    if (script) await expect(other).toHaveURL(/\/login\?redirectTo/)
    await page.goto('/discover')
    await expect(page).toHaveURL(/\/login/)
    expect((await world.mail(ann.email))?.subject).toBe('Your LetsBuzz account is deleted')
    const hers = await open({ as: bea, script })
    await hers.goto(`/chat/${ann.id}`)
    await expect(hers.getByText('Deleted member').first()).toBeVisible()
    await expect(hers.getByText('Hello from Ann')).toHaveCount(0)
  })

  test(`${how}: a last question that waited too long asks for the password again, beside the word that was typed`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    const cat = await world.member('Cat')
    const page = await open({ as: cat, phone: true, script, refusals: true })
    await page.goto('/settings/delete?confirm=delete')
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    const word = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' })
    const send = dialog.getByRole('button', { name: 'Delete for ever' })
    await word.fill('DELETE')
    await longAgo(world, cat)
    await send.click()
    await expect(dialog.getByText('Please enter your password.')).toBeVisible()
    const password = dialog.getByRole('textbox', { name: 'Password' })
    if (script) await expect(password).toBeFocused()
    await expect(word).toHaveValue('DELETE')
    await password.fill('somebody-elses-77')
    const refused = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.status() === 403)
    await send.click()
    await refused
    await expect(dialog.getByText('That is not your password.')).toBeVisible()
    await dialog.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await page.getByRole('textbox', { name: 'Password' }).fill(cat.password)
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expect(word).toHaveValue('')
    await expect(password).toHaveCount(0)
    await expect(dialog.getByText('That is not your password.')).toHaveCount(0)
    await word.fill('DELETE')
    await send.click()
    await expect(page.getByText('Your account is deleted')).toBeVisible()
    await test.step("an account of Google's sign-in alone learns behind no dialog how to go on", () =>
      expectGoogleLed(page, world, script))
  })
}

async function expectGoogleLed(page: Page, world: World, script: boolean): Promise<void> {
  const dot = await world.member('Dot')
  const google = { password_hash: null, google_key: `google of ${dot.id}` }
  await world.core.storage.app.updateTable('credential').set(google).where('member', '=', dot.id).execute()
  await signInAs(page, world, dot)
  await page.goto('/settings/delete?confirm=delete')
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByRole('textbox', { name: 'Type DELETE to confirm' }).fill('DELETE')
  await longAgo(world, dot)
  await dialog.getByRole('button', { name: 'Delete for ever' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Sign out, sign in with Google again and come back here')
  if (script) await expect(alert).toBeFocused()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('no password is needed')).toHaveCount(0)
}

import { expect, test } from './fixture.ts'

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: a member deletes the account, and is gone for a match and on every tab`, async ({ world, open }) => {
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
    const word = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' })
    await word.fill('No')
    await dialog.getByRole('button', { name: 'Delete for ever' }).click()
    await expect(dialog.getByText('Type DELETE to confirm.')).toBeVisible()
    if (script) await expect(word).toBeFocused()
    await word.fill('DELETE')
    await dialog.getByRole('button', { name: 'Delete for ever' }).click()
    await expect(page.getByText('Your account is deleted')).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/')
    if (script) await expect(other).toHaveURL(/\/login/)
    await page.goto('/discover')
    await expect(page).toHaveURL(/\/login/)
    expect((await world.mail(ann.email))?.subject).toBe('Your LetsBuzz account is deleted')
    const hers = await open({ as: bea, script })
    await hers.goto(`/chat/${ann.id}`)
    await expect(hers.getByText('Deleted member').first()).toBeVisible()
    await expect(hers.getByText('Hello from Ann')).toHaveCount(0)
  })
}

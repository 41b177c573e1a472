import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { unzip } from '../server/export/archive.ts'
import { expect, test } from './fixture.ts'

/** Looks again by hand, where the page does not do it by itself. */
async function waitForCopy(page: Page, script: boolean): Promise<void> {
  const ready = page.getByRole('heading', { name: 'Your copy is ready' })
  if (script) return expect(ready).toBeVisible()
  await expect(async () => {
    const again = page.getByRole('link', { name: 'Look again' })
    if (await again.isVisible()) await again.click()
    await expect(ready).toBeVisible({ timeout: 500 })
  }).toPass()
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: a copy of the own data is asked for, made and downloaded`, async ({ world, open }) => {
    const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
    await world.edit(ann, { bio: 'Reads on trains' })
    await world.match(ann, bea)
    await world.settled()
    await world.sendMessage(bea, ann, 'Hello from Bea')
    await world.settled()
    const page = await open({ as: ann, phone: true, script })
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Your data' }).click()
    await page.getByRole('button', { name: 'Make my copy' }).click()
    await waitForCopy(page, script)
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download your data' }).click()
    const download = await coming
    const files = await unzip(await readFile(await download.path()))
    expect(download.suggestedFilename()).toMatch(/^letsbuzz-\d{4}-\d\d-\d\d\.zip$/)
    expect(files.get('index.html')?.toString()).toContain('Reads on trains')
    expect(files.get(`messages/${bea.id}.json`)?.toString()).toContain('Hello from Bea')

    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Download your data' }).click()
    await page.waitForURL(/\/login\?redirectTo=%2Fsettings%2Fexport$/)
    await page.getByLabel('E-mail').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill(ann.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL('**/settings/export')
    await expect(page.getByRole('link', { name: 'Download your data' })).toBeVisible()
  })

  test(`${how}: who signed in a while ago is asked for the password`, async ({ world, open }) => {
    const cat = await world.member('Cat')
    await world.core.storage.app
      .updateTable('session')
      .set({ auth_at: new Date(Date.now() - 60 * 60_000) })
      .where('member', '=', cat.id)
      .execute()
    const page = await open({ as: cat, phone: true, script, refusals: true })
    await page.goto('/settings/export')
    await page.getByRole('textbox', { name: 'Password' }).fill('somebody-elses-77')
    await page.getByRole('button', { name: 'Make my copy' }).click()
    await expect(page.getByRole('alert')).toContainText('That is not your password.')
    await page.getByRole('textbox', { name: 'Password' }).fill(cat.password)
    await page.getByRole('button', { name: 'Make my copy' }).click()
    await waitForCopy(page, script)
  })
}

import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const row = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })
const sheet = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: the own profile is a list of rows, each of which opens one form and shows what it saved`, async ({
    world,
    open,
  }) => {
    const page = await open({ as: await world.member('Ann'), phone: true, script })
    await page.goto('/profile/edit')
    await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0)
    await row(page, 'About you').click()
    await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(1)
    await sheet(page, 'About you').getByLabel('Bio').fill('Reads on trains')
    await page.getByRole('button', { name: 'Save about you' }).click()
    await expect(page.getByText('Profile updated ✅')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(row(page, 'About you')).toContainText('Reads on trains')
    if (script) await expect(row(page, 'About you')).toBeFocused()
    await expect(page).toHaveURL(/\/profile\/edit(\?saved=about#about)?$/)
  })

  test(`${how}: a refused row stays open with what is wrong`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Bea'), phone: true, script, refusals: true })
    await page.goto('/profile/edit')
    await row(page, 'Height and orientation').click()
    await page.getByLabel('Height in centimetres').fill('20')
    await page.getByRole('button', { name: 'Save height and orientation' }).click()
    await expect(sheet(page, 'Height and orientation').getByRole('alert').first()).toContainText('between 90 and 250')
    await expect(page.getByLabel('Height in centimetres')).toHaveValue('20')
    await sheet(page, 'Height and orientation').getByRole('link', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
}

test('a sheet opens without network, gives the focus back, and has what was typed when it opens again', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Cid'), phone: true, refusals: true })
  await page.goto('/profile/edit')
  await expect(row(page, 'Where you live')).toBeVisible()
  await page.context().setOffline(true)
  await row(page, 'Where you live').focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('City').fill('Porto')
  await page.keyboard.press('Escape')
  await expect(row(page, 'Where you live')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('City')).toHaveValue('Porto')
})

test('a section that its address opened gives the focus to its row, closed or saved', async ({ world, open }) => {
  const page = await open({ as: await world.member('Dot'), phone: true })
  await page.goto('/profile/edit?section=phone')
  await expect(page.getByRole('textbox', { name: 'Phone optional' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row(page, 'Phone')).toBeFocused()
  await expect(row(page, 'Phone')).toBeInViewport({ ratio: 1 })
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('Reads on trains')
  await page.getByRole('button', { name: 'Save about you' }).click()
  await expect(row(page, 'About you')).toBeFocused()
})

test('Back closes a sheet, and after a closed one leads to the page before the rows', async ({ world, open }) => {
  const page = await open({ as: await world.member('Eli'), phone: true })
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await row(page, 'Hobbies').click()
  await expect(sheet(page, 'Hobbies')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await row(page, 'Hobbies').click()
  await sheet(page, 'Hobbies').getByRole('link', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('the rows take two windows of a phone', async ({ world, open }) => {
  const page = await open({ as: await world.member('Dot'), phone: true })
  await page.goto('/profile/edit')
  await expect(page.getByRole('heading', { name: 'Edit profile' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2 * 844)
})

test('a long sheet has its Save in view from the first, and no field that has the focus is behind it', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Gil'), phone: true })
  await page.goto('/profile/privacy?section=audience')
  const [dialog, save] = [sheet(page, 'Who sees what'), page.getByRole('button', { name: 'Save who sees what' })]
  expect(await dialog.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true)
  await expect(save).toBeInViewport({ ratio: 1 })
  await expect(dialog).toContainText('“Nobody” keeps it to yourself.')
  for (const group of await dialog.locator('fieldset.audience').all()) {
    await group.getByRole('radio').last().focus()
    const [one, foot] = [(await group.boundingBox())!, (await page.locator('.dialog-foot').boundingBox())!]
    expect(one.y + one.height).toBeLessThanOrEqual(foot.y + 1)
  }
  await dialog.evaluate((box) => box.scrollTo(0, box.scrollHeight))
  const [end, edge] = [(await save.boundingBox())!, (await dialog.boundingBox())!]
  expect(end.y + end.height).toBeLessThanOrEqual(edge.y + edge.height)
})

test('a word of one’s own that is too long says so at once', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ike'), phone: true })
  await page.goto('/profile/edit?section=hobbies')
  await page.getByLabel('Add your own to your hobbies').fill('x'.repeat(31))
  await expect(sheet(page, 'Hobbies').locator('.field-error')).toHaveText('31 / 30 · At most 30 characters')
})

test('once all interests are chosen, words explain why no other can be added', async ({ world, open }) => {
  const page = await open({ as: await world.member('Jo', { interests: ['Music'] }), phone: true })
  await page.goto('/profile/edit?section=interests')
  const note = sheet(page, 'Interests').getByText('All 5 are chosen. Take one away to add another.')
  const boxes = sheet(page, 'Interests').getByRole('checkbox', { checked: false, disabled: false })
  const chosen = sheet(page, 'Interests').getByRole('checkbox', { checked: true })
  while ((await chosen.count()) < 5) {
    await expect(note).toHaveCount(0)
    await boxes.first().check()
  }
  await expect(note).toBeVisible()
  await chosen.last().uncheck()
  await expect(note).toHaveCount(0)
})

import type { Page } from 'playwright'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'
import { picture } from './pages/sign-up.ts'

const FARO = { lat: 37.02, lng: -7.93 }

/** One gap of the page's larger rhythm. */
const ROW_GAP_PX = 40

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: Buzz to Unlock makes the match and opens the profile, whose member can be reported, blocked and unblocked`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    const [ann, bea] = [await world.member('Ann', { location: FARO }), await world.member('Bea', { location: FARO })]
    await world.edit(bea, { bio: 'Bakes at dawn' })
    await world.buzz(bea, ann)
    await world.settled()
    const page = await open({ as: ann, phone: true, script })
    await page.goto(`/viewProfile/${bea.id}`)
    await expect(page.getByRole('heading', { name: 'Profile locked' })).toBeVisible()
    await page.getByRole('button', { name: 'Buzz to Unlock' }).click()
    await expect(page.getByRole('heading', { name: "It's a match!" })).toBeVisible()
    await page.goto(`/viewProfile/${bea.id}`)
    await expect(page.getByText('Bakes at dawn')).toBeVisible()
    const gallery = page.getByRole('list', { name: 'Photos and videos of Bea' })
    await expect(gallery.getByRole('link')).toHaveCount(1)
    await page.getByRole('link', { name: 'Photo 1 of Bea' }).click()
    await expect(page.getByRole('dialog')).toContainText('1 of 2')
    await page.getByRole('link', { name: 'Close' }).click()
    const second = gallery.getByRole('link', { name: 'Photo 2 of Bea' })
    if (script) {
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await second.focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog')).toContainText('2 of 2')
      await page.keyboard.press('Escape')
      await expect(second).toBeFocused()
    }
    await second.click()
    await expect(page.getByRole('dialog')).toContainText('2 of 2')
    await page.getByRole('link', { name: 'Previous' }).click()
    await expect(page.getByRole('dialog')).toContainText('1 of 2')
    await page.getByRole('link', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    if (script) {
      await test.step('what has the focus on pictures shows a ring inside of it or against the black', () =>
        expectRings(page))
      await test.step('the keys lead through the pictures to both ends and back', () => expectBothEnds(page))
    }
    await page.getByRole('article').getByRole('link', { name: 'Chat', exact: true }).click()
    await page.waitForURL(new RegExp(`/chat/${bea.id}(#newest)?$`))
    await test.step('report, then block, then unblock from the list', () => reportAndBlock(page, bea))
  })

  test(`${how}: the own profile is edited, gets a photo, and is deactivated until its member comes back`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    const eve = await world.member('Eve')
    const page = await open({ as: eve, phone: true, script })
    await test.step('it is edited form by form', () => editForms(page, script))
    await test.step('a photo is added, kept private and deleted', () => addAndDelete(page, script))
    await test.step('the account is deactivated and comes back', () => leaveAndComeBack(page, eve, script))
  })
}

async function reportAndBlock(page: Page, { id, name }: Person): Promise<void> {
  await page.goto(`/viewProfile/${id}`)
  const more = `More about ${name}`
  await page.getByText(more).or(page.getByLabel(more)).first().click()
  await page.getByRole('link', { name: 'Report' }).click()
  await page.getByLabel('In your own words').fill('Wants money')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you for telling us' })).toBeVisible()
  await page.getByRole('link', { name: `Block ${name}` }).click()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/profile/privacy')
  await page.getByRole('button', { name: `Unblock ${name}` }).click()
  await expect(page.getByText('No one blocked.')).toBeVisible()
}

async function expectRings(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  const portrait = page.getByRole('article').getByRole('link').first()
  await page.keyboard.press('Tab')
  await portrait.focus()
  await expect(portrait).toHaveCSS('outline-offset', '-3px')
  await page.keyboard.press('Enter')
  const close = page.getByRole('dialog').getByRole('link', { name: 'Close' })
  await close.focus()
  await expect(close).toHaveCSS('outline-color', 'rgb(251, 196, 86)')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function expectBothEnds(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Photo 1 of/ }).click()
  const viewer = page.getByRole('dialog')
  for (const [way, end, back] of [
    ['Next', '2 of 2', 'ArrowLeft'],
    ['Previous', '1 of 2', 'ArrowRight'],
  ] as const) {
    await viewer.getByRole('link', { name: way }).focus()
    await page.keyboard.press('Enter')
    await expect(viewer).toContainText(end)
    await expect(viewer.getByRole('link', { name: way })).toBeFocused()
    await expect(viewer.getByRole('link', { name: way })).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Enter')
    await page.keyboard.press(back)
    await expect(viewer).not.toContainText(end)
  }
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
}

async function editForms(page: Page, script: boolean): Promise<void> {
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await page.getByRole('link', { name: /^Interests/ }).click()
  const interests = page.getByRole('dialog', { name: 'Interests', exact: true })
  await interests.getByRole('textbox').or(interests.getByRole('combobox')).fill('Kites')
  if (script) await page.keyboard.press('Enter')
  await interests.getByRole('button', { name: 'Save interests' }).click()
  await expect(page.getByText('Profile updated ✅')).toBeVisible()
  await expect(interests).toHaveCount(0)

  await page.goto('/profile')
  await page.getByRole('link', { name: 'Edit interests' }).click()
  await expect(interests.getByRole('checkbox', { name: 'Kites' })).toBeChecked()
  await page.goto('/profile/privacy')
  await page.getByRole('link', { name: /^Profile visibility/ }).click()
  await page.getByRole('radio', { name: /^Hidden/ }).check()
  await page.getByRole('button', { name: 'Save profile visibility' }).click()
  await expect(page.getByText('Privacy saved ✔')).toBeVisible()
  await page.getByRole('link', { name: /^Who sees what/ }).click()
  await expect(page.getByRole('group', { name: 'Height' }).getByRole('radio').first()).toBeDisabled()
}

async function addAndDelete(page: Page, script: boolean): Promise<void> {
  await page.goto('/profile/gallery')
  const tabs = await page.getByRole('navigation', { name: 'Your profile' }).boundingBox()
  const pictures = await page.getByRole('list', { name: 'Your photos and videos' }).boundingBox()
  const between = (pictures?.y ?? 0) - ((tabs?.y ?? 0) + (tabs?.height ?? 0))
  expect(between, 'the gallery begins right below its tabs').toBeLessThanOrEqual(ROW_GAP_PX)
  await page.getByLabel('Add photos or videos').setInputFiles(await picture('third.jpg', 120))
  if (!script) await page.getByRole('button', { name: 'Upload' }).first().click()
  await expect(page.getByText('Added to your gallery.')).toBeVisible()
  const third = page.getByRole('list', { name: 'Your photos and videos' }).getByRole('listitem').nth(2)
  const menu = () => third.locator('summary').click()
  await menu()
  await third.getByRole('button', { name: 'Make private' }).click()
  await expect(third).toContainText('Private')
  await menu()
  await third.getByRole('link', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted.')).toBeVisible()
  await expect(third).toHaveCount(0)
}

async function leaveAndComeBack(page: Page, who: Person, script: boolean): Promise<void> {
  await page.goto('/settings/delete')
  await page.getByRole('link', { name: 'Deactivate account' }).click()
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await expect(page.getByText('Your account is deactivated')).toBeVisible()
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(who.email)
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await page.getByRole('button', { name: /log ?in/i }).click()
  await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/settings/delete')
  await page.goto('/discover')
  await expect(page.getByRole('heading', { name: 'Your account is deactivated' })).toBeVisible()
  if (!script) await page.getByRole('button', { name: 'Reactivate' }).click()
  await expect(page.getByText('Welcome back. Your account is active again.')).toBeVisible()
}

test('what is typed in one sheet stays while another is saved, what was refused goes once it is right, and a voice is kept', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ivy'), refusals: true })
  const row = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
  await page.goto('/profile/edit')
  await row('Where you live').click()
  await page.getByLabel('City').fill('Porto')
  await page.keyboard.press('Escape')
  await row('Height and orientation').click()
  await page.getByLabel('Height in centimetres').fill('20')
  await page.getByRole('button', { name: 'Save height and orientation' }).click()
  const facts = page.getByRole('dialog', { name: 'Height and orientation' })
  await expect(facts.getByRole('alert')).toContainText('between 90 and 250')
  await expect(page.getByLabel('Height in centimetres')).toHaveValue('20')
  await page.getByLabel('Height in centimetres').fill('170')
  await page.getByRole('button', { name: 'Save height and orientation' }).click()
  await expect(page.getByText('Profile updated ✅')).toBeVisible()
  await expect(facts).toHaveCount(0)
  await row('Where you live').click()
  await expect(page.getByLabel('City')).toHaveValue('Porto')
  await page.keyboard.press('Escape')
  await test.step('a voice intro is recorded, heard, saved and deleted', () => recordAndDelete(page))
})

async function recordAndDelete(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Voice intro/ }).click()
  const voice = page.getByRole('dialog', { name: 'Voice intro', exact: true })
  await voice.getByRole('button', { name: 'Save voice intro' }).click()
  await expect(voice).toContainText('Record something first.')
  await voice.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(voice.getByRole('timer')).toHaveText('1 / 60 s')
  await voice.getByRole('button', { name: 'Stop' }).click()
  await expect(voice.getByLabel('Preview of your recording')).toBeVisible()
  await voice.getByRole('button', { name: 'Save voice intro' }).click()
  await expect(page.getByText('Voice intro saved ✅')).toBeVisible()
  await expect(voice).toHaveCount(0)
  await page.getByRole('link', { name: /^Voice intro/ }).click()
  await voice.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Voice intro deleted.')).toBeVisible()
}

import { expect, test } from './fixture.ts'
import { picture } from './pages/sign-up.ts'

const FARO = { lat: 37.02, lng: -7.93 }

/** One gap of the page's larger rhythm. */
const ROW_GAP_PX = 40

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: Buzz to Unlock makes the match and opens the profile`, async ({ world, open }) => {
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
    await page.getByRole('article').getByRole('link', { name: 'Chat', exact: true }).click()
    await page.waitForURL(new RegExp(`/chat/${bea.id}(#newest)?$`))
  })

  test(`${how}: report, then block, then unblock from the list`, async ({ world, open }) => {
    const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
    await world.match(cat, dan)
    await world.settled()
    const page = await open({ as: cat, phone: true, script })
    await page.goto(`/viewProfile/${dan.id}`)
    await page.getByText('More about Dan').or(page.getByLabel('More about Dan')).first().click()
    await page.getByRole('link', { name: 'Report' }).click()
    await page.getByLabel('In your own words').fill('Wants money')
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you for telling us' })).toBeVisible()
    await page.getByRole('link', { name: 'Block Dan' }).click()
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.goto('/profile/privacy')
    await page.getByRole('button', { name: 'Unblock Dan' }).click()
    await expect(page.getByText('No one blocked.')).toBeVisible()
  })

  test(`${how}: the own profile is edited form by form`, async ({ world, open }) => {
    const eve = await world.member('Eve')
    const page = await open({ as: eve, phone: true, script })
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
  })

  test(`${how}: a photo is added, kept private and deleted`, async ({ world, open }) => {
    const fay = await world.member('Fay')
    const page = await open({ as: fay, phone: true, script })
    await page.goto('/profile/gallery')
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
  })

  test(`${how}: an account is deactivated and comes back`, async ({ world, open }) => {
    const gus = await world.member('Gus')
    const page = await open({ as: gus, script })
    await page.goto('/settings/delete')
    await page.getByRole('link', { name: 'Deactivate account' }).click()
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await expect(page.getByText('Your account is deactivated')).toBeVisible()
    await page.goto('/login')
    await page.getByLabel('E-mail').fill(gus.email)
    await page.getByLabel('Password', { exact: true }).fill(gus.password)
    await page.getByRole('button', { name: /log ?in/i }).click()
    await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/settings/delete')
    await page.goto('/discover')
    await expect(page.getByRole('heading', { name: 'Your account is deactivated' })).toBeVisible()
    if (!script) await page.getByRole('button', { name: 'Reactivate' }).click()
    await expect(page.getByText('Welcome back. Your account is active again.')).toBeVisible()
  })
}

test('without script a file that is refused is answered where it was chosen, and one that is taken at the top', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ora'), phone: true, script: false, refusals: true })
  await page.goto('/profile/gallery')
  for (const [field, button] of [
    ['#gallery-file', 0],
    ['#avatar-file', 1],
  ] as const) {
    const name = 'notes.txt'
    await page.locator(field).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('Not a picture') })
    await page.getByRole('button', { name: 'Upload' }).nth(button).click()
    await expect(page.getByText('Unsupported file type')).toBeInViewport({ ratio: 1 })
  }
  await page.getByLabel('Add photos or videos').setInputFiles(await picture('third.jpg', 120))
  await page.getByRole('button', { name: 'Upload' }).first().click()
  await expect(page.getByText('Added to your gallery.')).toBeInViewport({ ratio: 1 })
})

test('the keys lead through the pictures to both ends and back', async ({ world, open }) => {
  const [joe, kay] = [await world.member('Joe'), await world.member('Kay')]
  await world.match(joe, kay)
  await world.settled()
  const page = await open({ as: joe })
  await page.goto(`/viewProfile/${kay.id}`)
  await page.getByRole('link', { name: 'Photo 1 of Kay' }).click()
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
})

test('the gallery begins right below its tabs', async ({ world, open }) => {
  const page = await open({ as: await world.member('Leo'), phone: true })
  await page.goto('/profile/gallery')
  const tabs = await page.getByRole('navigation', { name: 'Your profile' }).boundingBox()
  const pictures = await page.getByRole('list', { name: 'Your photos and videos' }).boundingBox()
  expect((pictures?.y ?? 0) - ((tabs?.y ?? 0) + (tabs?.height ?? 0))).toBeLessThanOrEqual(ROW_GAP_PX)
})

test('what has the focus on pictures shows a ring inside of it or against the black', async ({ world, open }) => {
  const [mel, nan] = [await world.member('Mel'), await world.member('Nan')]
  await world.match(mel, nan)
  await world.settled()
  const page = await open({ as: mel, phone: true })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`/viewProfile/${nan.id}`)
  const portrait = page.getByRole('article').getByRole('link').first()
  await page.keyboard.press('Tab')
  await portrait.focus()
  await expect(portrait).toHaveCSS('outline-offset', '-3px')
  await page.keyboard.press('Enter')
  const close = page.getByRole('dialog').getByRole('link', { name: 'Close' })
  await close.focus()
  await expect(close).toHaveCSS('outline-color', 'rgb(251, 196, 86)')
})

test('what is typed in one sheet stays while another is saved, and what was refused goes once it is right', async ({
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
})

test('a voice intro is recorded, heard, saved and deleted', async ({ world, open }) => {
  const hal = await world.member('Hal')
  const page = await open({ as: hal, refusals: true })
  await page.goto('/profile/edit?section=voice')
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
})

import type { Page } from 'playwright'
import { FIELD_KEYS } from '../../../domain/profile/choices.ts'
import type { World } from '../../support/world.ts'
import { expect, test } from '../fixture.ts'

const audience = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Seen by' }).getByRole('link', { name, exact: true })

/** The words of a profile and how many pictures it has, without what can be done with it. */
async function shownOn(page: Page): Promise<unknown> {
  const article = page.getByRole('article')
  await expect(article).toBeVisible()
  return article.evaluate((one) => ({
    words: [...one.querySelectorAll('h1, h2, .person-bio, .person-line, dl, .chip')].map((part) =>
      part.textContent?.replace(/Online|\(in common\)/, '').trim(),
    ),
    pictures: [...one.querySelectorAll('img')].map((picture) => picture.alt),
  }))
}

async function owner(world: World) {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  await world.edit(ann, {
    bio: 'Bakes at dawn',
    height: 172,
    hobbies: ['Yoga'],
    fieldVisibility: { ...PUBLIC, height: 'matches', hobbies: 'hidden' },
  })
  await world.match(ann, bea)
  await world.settled()
  return { ann, bea, cat }
}

const PUBLIC = Object.fromEntries(FIELD_KEYS.map((key) => [key, 'public']))

test('a member sees what a stranger, a match and everyone get, however much is shown', async ({ world, open }) => {
  test.setTimeout(120_000)
  const { ann, bea, cat } = await owner(world)
  const [own, match, stranger] = [
    await open({ as: ann, phone: true }),
    await open({ as: bea, phone: true }),
    await open({ as: cat, phone: true }),
  ]
  for (const mode of ['auto', 'limited', 'full'] as const) {
    await world.edit(ann, { visibilityMode: mode })
    await world.settled()
    for (const [name, other, path] of [
      ['Strangers', stranger, `/viewProfile/${ann.id}`],
      ['Matches', match, `/viewProfile/${ann.id}`],
      // The card of a profile that is locked shows more than the profile (tests/routes/profile/view.test.ts).
      ...(mode === 'auto' ? [] : [['Everyone', stranger, `/view/${ann.id}`] as const]),
    ] as const)
      await test.step(`${mode}: ${name}`, async () => {
        await other.goto(path)
        await own.goto('/profile/edit')
        await own.getByRole('link', { name: 'See yourself as others do' }).click()
        await audience(own, name).click()
        await expect(audience(own, name)).toHaveAttribute('aria-current', 'page')
        expect(await shownOn(own), name).toEqual(await shownOn(other))
      })
  }
})

test('a hidden profile is shown to its matches alone, and the page says so', async ({ world, open }) => {
  const eve = await world.member('Eve')
  await world.edit(eve, { visibilityMode: 'hidden' })
  await world.settled()
  const page = await open({ as: eve, phone: true, script: false })
  await page.goto('/profile/seen/stranger')
  await expect(page.getByText('Nobody new can find you')).toBeVisible()
  await audience(page, 'Matches').click()
  await expect(page.getByRole('article')).toContainText('Eve')
})

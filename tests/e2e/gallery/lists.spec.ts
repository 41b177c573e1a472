import type { Page } from 'playwright'
import { expect, type OpenOptions, test } from '../fixture.ts'

type Open = (options?: OpenOptions) => Promise<Page>

async function lists(open: Open, options: OpenOptions = {}, query = ''): Promise<Page> {
  const page = await open(options)
  await page.goto(`/dev/gallery/lists${query}`)
  return page
}

const kinds = (page: Page) => page.getByRole('list', { name: 'Kinds' })
const topics = (page: Page) => page.getByRole('list', { name: 'Topics' }).getByRole('listitem')
const options = (page: Page) => page.getByRole('option')
const search = (page: Page) => page.getByRole('combobox', { name: 'Search people' })

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: a switch of a list is turned on and off again`, async ({ open }) => {
    const page = await lists(open, { script, phone: true })
    const sound = page.getByRole('switch', { name: 'Sound' })
    await expect(sound).not.toBeChecked()
    await sound.click()
    await expect(sound).toBeChecked()
    await sound.click()
    await expect(sound).not.toBeChecked()
  })

  test(`${how}: filters are added to each other, and cleared at once`, async ({ open }) => {
    const page = await lists(open, { script, phone: true })
    for (const name of ['Buzzes', 'Likes']) await kinds(page).getByRole('link', { name }).click()
    await expect(kinds(page).locator('[aria-current]')).toHaveText(['Buzzes', 'Likes'])
    await kinds(page).getByRole('link', { name: 'Clear' }).click()
    await expect(kinds(page).locator('[aria-current]')).toHaveCount(0)
  })

  test(`${how}: tags reach the server as words with commas between`, async ({ open }) => {
    const page = await lists(open, { script })
    const field = page.getByRole('combobox', { name: 'Topics' })
    if (script) await expect(topics(page)).toHaveText(['Climbing', 'Poetry'])
    await field.fill(script ? 'Sauna' : 'Climbing, Poetry, Sauna')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Sent: Climbing, Poetry, Sauna')).toBeVisible()
  })

  test(`${how}: Enter in the search leads to the page of all results`, async ({ open }) => {
    const page = await lists(open, { script })
    await search(page).fill('an')
    await search(page).press('Enter')
    await expect(page).toHaveURL(/\?q=an$/)
    await expect(page.getByText('All results for “an”: 3')).toBeVisible()
  })
}

test('a filter that is on is in view on a phone, wherever it stands in the row', async ({ open }) => {
  const page = await lists(open, { phone: true }, '?kind=Wingman')
  await expect(kinds(page).getByRole('link', { name: 'Wingman' })).toBeInViewport({ ratio: 1 })
})

test('commas and Enter make tags, each once, up to as many as there is room for', async ({ open }) => {
  const page = await lists(open)
  const field = page.getByRole('combobox', { name: 'Topics' })
  await field.pressSequentially('sauna,SAUNA,')
  await expect(topics(page)).toHaveText(['Climbing', 'Poetry', 'sauna'])
  await field.fill('Rowing')
  await field.press('Enter')
  await field.fill('Chess, Go')
  await expect(topics(page)).toHaveText(['Climbing', 'Poetry', 'sauna', 'Rowing', 'Chess'])
  await expect(page.getByText('There is room for 5.')).toBeVisible()
  await expect(field).toHaveValue('Go')
  await field.fill('')
  await field.press('Backspace')
  await page.getByRole('button', { name: 'Remove Poetry' }).press('Enter')
  await expect(topics(page)).toHaveText(['Climbing', 'sauna', 'Rowing'])
  await expect(field).toBeFocused()
})

test('results come while one types, arrows choose one, Escape closes them and Enter opens it', async ({ open }) => {
  const page = await lists(open)
  await search(page).pressSequentially('an')
  await expect(options(page)).toHaveCount(3)
  await expect(search(page)).toHaveAttribute('aria-expanded', 'true')
  await search(page).press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Ann/)
  await search(page).press('ArrowUp')
  await expect(page.getByRole('option', { selected: true })).toHaveCount(0)
  await search(page).press('Escape')
  await expect(options(page)).toHaveCount(0)
  await expect(search(page)).toHaveValue('an')
  await search(page).press('ArrowDown')
  await search(page).press('ArrowDown')
  await search(page).press('Enter')
  await expect(page).toHaveURL(/\?q=Anouk$/)
})

test('a search that finds nothing, and one that fails, are put into words', async ({ open }) => {
  const page = await lists(open)
  await search(page).fill('zzz')
  await expect(page.getByText('Nobody by that name.')).toBeVisible()
  await search(page).fill('lost')
  await expect(page.getByText('Results cannot be reached.')).toBeVisible()
})

test('what is read stays where it is on the screen while rows come at either end', async ({ open }) => {
  const page = await lists(open, { phone: true })
  const box = page.getByRole('region', { name: 'Numbers' })
  const first = () => box.locator('.anchored-row').first().innerText()
  for (const [way, edge] of [
    ['up', (height: number) => height * 0.1],
    ['down', (height: number) => height * 0.9],
  ] as const) {
    const before = await first()
    const moved = await box.evaluate(
      (list, to) => {
        list.scrollTop = to
        const seen = [...list.querySelectorAll('.anchored-row')].find(
          (row) => row.getBoundingClientRect().bottom > list.getBoundingClientRect().top,
        )!
        return { text: seen.textContent!, top: seen.getBoundingClientRect().top }
      },
      edge(await box.evaluate((list) => list.scrollHeight)),
    )
    await expect.poll(first, way).not.toBe(before)
    const { y } = (await box.getByText(moved.text, { exact: true }).boundingBox())!
    expect(Math.abs(y - moved.top), way).toBeLessThan(2)
  }
})

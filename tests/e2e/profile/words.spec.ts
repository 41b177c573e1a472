import { expect, test } from '../fixture.ts'
import { NOBODY } from '../pages/cast.ts'

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: a member reads what is wrong with a page in words, and no number`, async ({ world, open }) => {
    const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
    await world.edit(bea, { visibilityMode: 'hidden' })
    await world.settled()
    const page = await open({ as: ann, phone: true, script, refusals: true })
    for (const path of [
      `/viewProfile/${bea.id}`,
      `/viewProfile/${NOBODY}`,
      `/preview/${NOBODY}`,
      `/chat/${bea.id}`,
      '/profile/seen/nobody',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('main')).not.toContainText(/40[34]|429|500/)
    }
  })

  test(`${how}: a block is confirmed in words and lifted from there, which does not bring back a match`, async ({
    world,
    open,
  }) => {
    const [cat, dan, eva] = [await world.member('Cat'), await world.member('Dan'), await world.member('Eva')]
    await world.match(cat, eva)
    await world.settled()
    const page = await open({ as: cat, phone: true, script })
    for (const [{ id }, name, warnings] of [
      [dan, 'Dan', 0],
      [eva, 'Eva', 1],
    ] as const) {
      const warning = page.getByText('Unblocking does not bring back the match.')
      await page.goto(`/block/${id}`)
      await expect(page.getByText('You can unblock at any time.')).toBeVisible()
      await expect(warning).toHaveCount(warnings)
      await page.getByRole('button', { name: 'Block', exact: true }).click()
      await expect(page.getByText(`You blocked ${name}.`)).toBeVisible()
      await expect(warning).toHaveCount(warnings)
      await page.getByRole('button', { name: 'Unblock' }).click()
      await expect(page.getByText(`Unblocked ${name}.`)).toBeVisible()
      await expect(warning).toHaveCount(0)
    }
    await page.goto('/profile/privacy')
    await expect(page.getByText('No one blocked.')).toBeVisible()
  })

  test(`${how}: an empty list of people offers what to do next`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Eve'), phone: true, script })
    for (const list of ['liked', 'liked-you', 'matches']) {
      await page.goto(`/profile?show=${list}`)
      await expect(page.getByRole('dialog')).toContainText('No users found here yet.')
      await expect(page.getByRole('dialog').getByRole('link', { name: 'Go to Discover' })).toBeVisible()
    }
  })
}

test('the summary of what is wrong with a report stands below the bar of its page', async ({ world, open }) => {
  const [fay, gus] = [await world.member('Fay'), await world.member('Gus')]
  for (const script of [true, false]) {
    const page = await open({ as: fay, phone: true, refusals: true, script })
    await page.goto(`/report/${gus.id}`)
    await page.getByRole('button', { name: 'Send report' }).click()
    const alert = page.getByRole('alert').first()
    await expect(alert).toBeVisible()
    const [bar, box] = [await page.locator('.page-bar').boundingBox(), await alert.boundingBox()]
    expect((box?.y ?? 0) - ((bar?.y ?? 0) + (bar?.height ?? 0))).toBeGreaterThanOrEqual(0)
  }
})

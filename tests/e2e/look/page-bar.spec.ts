import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const BAR = 56
const productBar = (page: Page) => page.getByRole('banner')

for (const script of [true, false])
  test(`on a phone the top bar is the page's: its name, the way back, what can be done, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    const ann = await world.member('Ann')
    const page = await open({ as: ann, phone: true, script })
    for (const [path, title, back] of [
      ['/profile/edit', 'Edit profile', '/profile'],
      ['/profile/privacy', 'Who sees you', '/profile'],
      ['/profile/seen/stranger', 'As others see you', '/profile'],
      ['/settings/location', 'Your location', '/profile'],
      ['/settings/export', 'Your data', '/profile'],
      ['/settings/delete', 'Manage Account', '/profile'],
    ] as const) {
      if (script && page.url() !== 'about:blank') await goWithin(page, path)
      else await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(productBar(page), path).toBeHidden()
      const bar = (await page.locator('.page-bar').boundingBox())!
      expect([bar.x, bar.y, bar.width, bar.height], path).toEqual([0, 0, 390, BAR])
      const heading = page.getByRole('heading', { level: 1, name: title })
      const arrow = page.getByRole('link', { name: 'Back to profile' })
      const [words, way] = [(await heading.boundingBox())!, (await arrow.boundingBox())!]
      expect(words.y + words.height, path).toBeLessThanOrEqual(BAR)
      expect(way.x + way.width, path).toBeLessThanOrEqual(words.x + 1)
      expect(Math.min(way.width, way.height), path).toBeGreaterThanOrEqual(44)
      await arrow.click()
      await expect(page).toHaveURL(new RegExp(`${back}$`))
    }
    for (const [path, title] of [
      ['/discover', 'Discover'],
      ['/chat', 'Chat'],
      ['/notifications', 'Notifications'],
      ['/profile', 'Profile'],
    ] as const) {
      if (script) await goWithin(page, path)
      else await page.goto(path)
      const name = page.locator('.page-title', { hasText: title })
      const words = (await name.boundingBox())!
      expect(words.y + words.height, path).toBeLessThanOrEqual(BAR)
      await expect(productBar(page).getByText('LetsBuzz', { exact: true }), path).toBeHidden()
    }
    await test.step('the words on the vibe stay within its pill, ahead of its arrow', () => expectVibeWithin(page))
  })

/** As a member goes from page to page, without loading anything again. */
const goWithin = (page: Page, path: string) => page.evaluate((to) => window.__remixRouter.navigate(to), path)

async function expectVibeWithin(page: Page): Promise<void> {
  await page.goto('/discover')
  for (const width of [390, 360, 320, 600, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    const [pill, name] = [page.locator('#my-vibe'), page.locator('label[for=my-vibe]')]
    const [arrow, inner] = [page.locator('.vibe-form .select .icon'), page.locator('.vibe-words')]
    const words = (await inner.boundingBox())!
    expect(words.x + words.width, `${width}`).toBeLessThanOrEqual((await arrow.boundingBox())!.x)
    const named = (await name.boundingBox())!
    expect(named.x + named.width, `${width}`).toBeLessThanOrEqual(words.x + words.width)
    expect((await pill.boundingBox())!.width, `${width}`).toBeGreaterThanOrEqual(110)
    await expect(name).toBeVisible()
    await expect(pill).toHaveAccessibleDescription(/on my profile/)
  }
}

for (const script of [true, false])
  test(`on a phone what is done about somebody has a bar of its own, which leads back, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
    await world.match(ann, bea)
    await world.settled()
    const page = await open({ as: ann, phone: true, script })
    if (script)
      await test.step('a profile has the way back over its portrait, which leads where the member came from', async () => {
        await page.goto(`/chat/${bea.id}`)
        await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Bea' }).click()
        await expect(productBar(page)).toBeHidden()
        await expect(page.locator('.person-portrait')).toBeVisible()
        expect((await page.locator('.person-portrait').boundingBox())!.y).toBe(0)
        await page.getByRole('link', { name: 'Back' }).click()
        await expect(page.getByLabel('Message to Bea')).toBeVisible()
      })
    for (const [path, title] of [
      ['report', 'Report Bea'],
      ['block', 'Block Bea?'],
      ['unmatch', 'Unmatch Bea?'],
    ] as const) {
      await page.goto(`/viewProfile/${bea.id}`)
      await page.goto(`/${path}/${bea.id}`)
      await expect(productBar(page), path).toBeHidden()
      const bar = (await page.locator('.page-bar').boundingBox())!
      expect([bar.x, bar.y, bar.width, bar.height], path).toEqual([0, 0, 390, BAR])
      const words = (await page.getByRole('heading', { level: 1, name: title }).boundingBox())!
      expect(words.y + words.height, path).toBeLessThanOrEqual(BAR)
      await page.getByRole('link', { name: 'Back', exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`/viewProfile/${bea.id}`))
    }
    await page.goto(`/block/${bea.id}`)
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await page.goto(`/block/${bea.id}`)
    await expect(productBar(page)).toBeHidden()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await page.goto(`/report/${bea.id}?sent=${bea.id}`)
    await expect(productBar(page)).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible()
  })

test('on a phone no toast lies over the button that a page is about', async ({ world, open }) => {
  const [ann, bea, cid, dan] = [
    await world.member('Ann'),
    await world.member('Bea'),
    await world.member('Cid'),
    await world.member('Dan'),
  ]
  await world.settled()
  const page = await open({ as: ann, phone: true })
  for (const [path, button, sender] of [
    [`report/${cid.id}`, 'Send report', bea],
    [`block/${bea.id}`, 'Block', cid],
    ['settings/delete', 'Delete account', dan],
  ] as const) {
    await page.goto(`/${path}`)
    await world.buzz(sender, ann)
    await expect(page.locator('.toast')).toBeVisible()
    // Close below the bar, ahead of what the page asks.
    expect((await page.locator('.toasts').boundingBox())!.y, path).toBeLessThanOrEqual(BAR + 12)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    const [toast, main] = [page.locator('.toast'), page.getByRole('button', { name: button, exact: true })]
    await expect(main).toBeInViewport({ ratio: 1 })
    const [upper, lower] = [(await toast.boundingBox())!, (await main.boundingBox())!]
    const apart = upper.y + upper.height <= lower.y || lower.y + lower.height <= upper.y
    expect(apart, `${path}: ${JSON.stringify([upper, lower])}`).toBe(true)
  }
})

test('the picture follows close on the words about who sees it', async ({ world, open }) => {
  const ann = await world.member('Ann')
  await world.edit(ann, { visibilityMode: 'full' })
  await world.settled()
  const page = await open({ as: ann })
  for (const audience of ['match', 'everyone']) {
    await page.goto(`/profile/seen/${audience}`)
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 900, height: 800 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(viewport)
      const words = (await page.locator('.seen-head > p').boundingBox())!
      const portrait = (await page.locator('.person-portrait').boundingBox())!
      const gap = portrait.y - (words.y + words.height)
      expect(gap, `${audience}, ${viewport.width}`).toBeGreaterThanOrEqual(12)
      expect(gap, `${audience}, ${viewport.width}`).toBeLessThanOrEqual(32)
    }
  }
})

test('six places have room at the foot of every phone and at the top of every wide window', async ({ open }) => {
  const page = await open()
  await page.goto('/dev/gallery')
  for (const [position, widths] of [
    ['bottom', [320, 390]],
    ['top', [768, 1024, 1280]],
  ] as const)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const bars = page.getByRole('navigation', { name: /^Six places/ }).and(page.locator(`.nav-${position}`))
      await expect(bars).toHaveCount(position === 'bottom' ? 2 : 1)
      for (const bar of await bars.all()) {
        const links = await bar.getByRole('link').evaluateAll((all) =>
          all.map((link) => {
            const { width: w, height: h } = link.getBoundingClientRect()
            const label = link.querySelector('.nav-label')!.getBoundingClientRect()
            return { w, h, label: label.width }
          }),
        )
        expect(links).toHaveLength(6)
        for (const { w, h, label } of links) {
          expect(Math.min(w, h), `${position} ${width}`).toBeGreaterThanOrEqual(40)
          expect(label, `${position} ${width}`).toBeLessThanOrEqual(w)
        }
        const { width: whole } = (await bar.locator('ul').boundingBox())!
        // At the top it shares the window with the mark and two buttons.
        expect(whole, `${position} ${width}`).toBeLessThanOrEqual(position === 'bottom' ? width : width - 300)
      }
    }
})

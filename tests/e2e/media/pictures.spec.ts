import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const TRONDHEIM = { lat: 63.43, lng: 10.4 }
const SIDES = [96, 320, 720, 1080]

/** The pictures of ours on a page: which size was taken, and how wide it is shown in the pixels of the screen. */
const shownOn = (page: Page) =>
  page.locator('img[src*="/media/"]').evaluateAll((images) =>
    (images as HTMLImageElement[])
      .filter((image) => image.complete && image.naturalWidth > 0)
      .map((image) => ({
        isAvatar: image.closest('.avatar') !== null,
        path: new URL(image.currentSrc).pathname,
        width: Number(new URL(image.currentSrc).searchParams.get('w')),
        needed: image.getBoundingClientRect().width * devicePixelRatio,
      })),
  )

test('each page takes pictures as large as it shows them, and an avatar is never a full one', async ({
  world,
  open,
}) => {
  const me = await world.member('Ann', { location: TRONDHEIM })
  const [match] = [
    await world.member('Bea', { location: TRONDHEIM }),
    await world.member('Cid', { location: TRONDHEIM }),
  ]
  await world.match(me, match)
  await world.settled()
  await world.sendMessage(match, me, 'Hello')
  await world.settled()
  for (const phone of [true, false]) {
    const page = await open({ as: me, phone })
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/media/')) asked.push(search)
    })
    for (const path of [
      '/discover',
      '/chat',
      `/chat/${match.id}`,
      `/viewProfile/${match.id}`,
      '/profile',
      '/notifications',
    ]) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      const shown = await shownOn(page)
      for (const { isAvatar, path: file, width, needed: own } of shown) {
        // A browser takes the file that it has where the page shows the same picture larger as well.
        const alike = shown.filter((other) => other.path === file && !other.isAvatar && other.width === width)
        const needed = Math.max(own, ...alike.map((other) => other.needed))
        // What a page declares is about as wide as it shows.
        const [least, most] = [0.9, 1.15].map((part) => SIDES.find((side) => side >= needed * part) ?? 1080)
        const what = `${path}: ${width} for ${needed} px`
        if (isAvatar) expect(width, what).toBeLessThanOrEqual(320)
        else expect([least, most], what).toContain(width)
      }
    }
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((search) => !/^\?w=\d+$/.test(search))).toEqual([])
  }
})

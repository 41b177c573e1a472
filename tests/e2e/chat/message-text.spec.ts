import { expect, test } from '../fixture.ts'
import { log, longRoom } from '../pages/long-room.ts'

const WORDS = 'Look at https://example.com/a?b=c, not javascript:alert(1) or <b>https</b>'

for (const script of [true, false])
  test(`addresses in messages are links, and a few emoji alone are large, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 1)
    for (const text of [WORDS, '🐝🐝', '🐝 hm']) await world.sendMessage(bea, ann, text)
    await world.settled()
    const page = await open({ as: ann, phone: true, script })
    await page.goto(`/chat/${bea.id}`)
    await expect(log(page).getByText(WORDS)).toBeVisible()
    const links = log(page).locator('.bubble-text a')
    await expect(links).toHaveCount(1)
    await expect(links).toHaveText('https://example.com/a?b=c')
    for (const [name, value] of Object.entries({
      href: 'https://example.com/a?b=c',
      rel: 'noopener noreferrer nofollow',
      target: '_blank',
    }))
      await expect(links).toHaveAttribute(name, value)
    const size = (text: string) =>
      log(page)
        .getByText(text, { exact: true })
        .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))
    expect(await size('🐝🐝')).toBeGreaterThan(2 * (await size('🐝 hm')))
  })

/** The signs of a link as they stand on the page, from the left. */
const fromTheLeft = (link: Element) => {
  const at = (index: number) => {
    const range = document.createRange()
    range.setStart(link.firstChild!, index)
    range.setEnd(link.firstChild!, index + 1)
    return range.getBoundingClientRect().left
  }
  const signs = [...(link.textContent ?? '')].map((sign, index) => ({ sign, left: at(index) }))
  return signs.sort((one, other) => one.left - other.left).map(({ sign }) => sign)
}

test('an address begins on the page with the host that it leads to, whatever turns the words around it', async ({
  world,
  open,
}) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 1)
  await world.sendMessage(bea, ann, '\u202Ehttps://evil.example/?moc.knab//:sptth')
  await world.settled()
  const page = await open({ as: ann })
  await page.goto(`/chat/${bea.id}`)
  const link = log(page).locator('.bubble-text a')
  await expect(link).toHaveAttribute('href', 'https://evil.example/?moc.knab//:sptth')
  expect((await link.evaluate(fromTheLeft)).join('')).toBe('https://evil.example/?moc.knab//:sptth')
})

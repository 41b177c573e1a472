import type { Locator } from 'playwright'
import { expect, test } from '../fixture.ts'

const WORDS = 'هل تحب القهوة؟ أنا أحب LetsBuzz!'

/** Where its first letter stands and its last mark: from right to left the mark ends at the left. */
const ends = (shown: Locator) =>
  shown.evaluate((element, words) => {
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    let node = walk.nextNode()
    while (node && !node.nodeValue?.includes(words)) node = walk.nextNode()
    const from = node?.nodeValue?.indexOf(words) ?? 0
    const at = (offset: number) => {
      const range = document.createRange()
      range.setStart(node as Node, from + offset)
      range.setEnd(node as Node, from + offset + 1)
      return range.getBoundingClientRect()
    }
    const [first, mark] = [at(0), at(words.length - 1)]
    return { isFromRight: mark.left < first.left, gap: element.getBoundingClientRect().right - first.right }
  }, WORDS)

test('what members write has the direction of its own words', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('ليلى!')]
  await world.match(ann, bea)
  await world.edit(bea, { bio: WORDS, hobbies: ['Tea'] })
  await world.edit(ann, { bio: WORDS })
  await world.settled()
  await world.sendMessage(bea, ann, `${WORDS}\nA line in English.`)
  await world.settled()
  const page = await open({ as: ann })
  await page.goto(`/chat/${bea.id}`)
  const message = await ends(page.locator('.bubble-text'))
  expect(message).toMatchObject({ isFromRight: true })
  expect(message.gap).toBeLessThan(2)
  expect((await ends(page.locator('.about-bio'))).isFromRight, 'about the match').toBe(true)
  await world.sendMessage(ann, bea, WORDS)
  await expect(page.locator('.chat-row')).toContainText('You: ')
  const preview = page.locator('.chat-row-foot .truncate')
  expect((await ends(preview)).isFromRight, 'the preview').toBe(true)
  const box = page.getByRole('textbox', { name: /^Message to/ })
  await expect(box).toHaveCSS('unicode-bidi', 'plaintext')

  await page.goto(`/viewProfile/${bea.id}`)
  const bio = await ends(page.locator('.person-bio'))
  expect(bio).toMatchObject({ isFromRight: true })
  expect(bio.gap).toBeLessThan(2)
  await page.goto('/profile/edit?section=about')
  await expect(page.getByLabel('Bio')).toHaveCSS('unicode-bidi', 'plaintext')
  await page.goto('/dev/gallery/lists')
  for (const field of ['.tag-words', '.live-search-words'])
    await expect(page.locator(field).first()).toHaveCSS('unicode-bidi', 'plaintext')
})

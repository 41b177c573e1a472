import type { Locator, Page } from 'playwright'
import { expect } from 'playwright/test'

const MANY_STOPS = 80

/** What is wrong with how the focused element shows itself: no ring, outside of the window, or under something else. */
function focusFault(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement
    // Behind its last stop the browser itself has the focus.
    if (!focused || focused === document.body || !document.hasFocus()) return null
    const name = focused.outerHTML.slice(0, 120)
    const ringed = (element: Element | null | undefined) => {
      const { outlineStyle, outlineWidth } = element
        ? getComputedStyle(element)
        : { outlineStyle: 'none', outlineWidth: '0' }
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    }
    // A hidden box or radio lets the face beside it show the ring.
    const shown = ringed(focused) || ringed(focused.nextElementSibling) || ringed(focused.closest('label'))
    if (!shown) return `shows no focus: ${name}`
    const { left, right, top, bottom } = focused.getBoundingClientRect()
    if (right < 0 || bottom < 0 || left > innerWidth || top > innerHeight) return `out of sight: ${name}`
    const [x, y] = [(left + right) / 2, Math.min(Math.max((top + bottom) / 2, 1), innerHeight - 1)]
    const above = document.elementFromPoint(x, y)
    const covered =
      above && !focused.contains(above) && !above.contains(focused) && !focused.closest('label')?.contains(above)
    return covered ? `under ${above.outerHTML.slice(0, 80)}: ${name}` : null
  })
}

/** Tab after Tab until this has the focus. Each stop on the way has to show itself. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < MANY_STOPS; stops++) {
    await page.keyboard.press('Tab')
    expect(await focusFault(page)).toBeNull()
    if (await target.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))) return
  }
  throw new Error(`Tab does not lead to ${target}.`)
}

/** Tab to it, then Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Tab goes round inside of an open dialog, and Escape closes it. */
export async function expectModal(page: Page, dialog: Locator): Promise<void> {
  const inside = () =>
    dialog.evaluate((box) => box.contains(document.activeElement) || document.activeElement === document.body)
  const where = () =>
    dialog.evaluate((box) => (box.contains(document.activeElement) ? 'inside' : document.activeElement?.outerHTML))
  await expect.poll(where, 'the focus moves in').toBe('inside')
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    expect(await inside(), `${key} stays in`).toBe(true)
    expect(await focusFault(page)).toBeNull()
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

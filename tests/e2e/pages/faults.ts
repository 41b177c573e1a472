import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/** Waits until what moves has come to rest: a page that is still fading in has less contrast than it will have. */
async function still(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => {
      const endless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
      return endless || playState !== 'running'
    }),
  )
}

type Found = { id: string; nodes: readonly { target: readonly unknown[] }[] }
const inWords = (violations: readonly Found[]) =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)

/** Of what is as it should be axe describes one place for each rule, not all. */
const VIOLATIONS = { resultTypes: ['violations' as const] }

/** What axe finds on a page that stands: `rule: places`. */
export async function axeFaults(page: Page): Promise<string[]> {
  await still(page)
  const { violations } = await new AxeBuilder({ page }).options(VIOLATIONS).setLegacyMode(true).analyze()
  return inWords(violations)
}

declare global {
  interface Window {
    /** Left in the page by `axeFaults`. */
    axe: { run: (options: object) => Promise<{ violations: Found[] }> }
  }
}

/** What another theme makes of a page that `axeFaults` has read: the rules of colour once more. */
export async function colourFaults(page: Page): Promise<string[]> {
  await still(page)
  const options = { ...VIOLATIONS, runOnly: ['color-contrast', 'link-in-text-block'] }
  const violations = await page.evaluate(async (asked) => {
    const found = await window.axe.run(asked)
    return found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target }) => ({ target })) }))
  }, options)
  return inWords(violations)
}

/**
 * What this window cuts off: a page that scrolls sideways, and words that end outside of it or of a box that hides what
 * flows over; and controls outside of it that nothing scrolls to. Words with an ellipsis, clamped lines and words for
 * screen readers are meant to end early.
 */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // The window has just got its size, and words may still get their font.
    await document.fonts.ready
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const root = document.scrollingElement as HTMLElement
    const wide = root.scrollWidth - root.clientWidth
    const faults = wide > 0 ? [`scrolls sideways by ${wide} px`] : []
    const hides = (value: string) => value === 'hidden' || value === 'clip'
    const meant = (style: CSSStyleDeclaration) =>
      style.textOverflow === 'ellipsis' ||
      style.webkitLineClamp !== 'none' ||
      style.clipPath !== 'none' ||
      style.textIndent !== '0px' ||
      style.visibility === 'hidden' ||
      style.opacity === '0'
    const fits = (element: Element, words: DOMRect): boolean => {
      for (let box: Element | null = element; box && box !== root; box = box.parentElement) {
        const style = getComputedStyle(box)
        if (meant(style)) return true
        const frame = box.getBoundingClientRect()
        const across = words.left >= frame.left - 1 && words.right <= frame.right + 1
        const down = words.top >= frame.top - 1 && words.bottom <= frame.bottom + 1
        if ((hides(style.overflowX) && !across) || (hides(style.overflowY) && !down)) return false
        if (style.position === 'fixed' || /auto|scroll/.test(style.overflowX)) return true
      }
      return words.left >= -1 && words.right <= root.clientWidth + 1
    }
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const parent = node.parentElement
      const words = node.nodeValue?.trim()
      if (!words || !parent?.checkVisibility() || parent.closest('option, [aria-hidden=true]')) continue
      range.selectNodeContents(node)
      const cut = [...range.getClientRects()].some((line) => line.width > 0 && !fits(parent, line))
      if (cut) faults.push(`<${parent.tagName.toLowerCase()} class="${parent.className}"> ${words.slice(0, 40)}`)
    }
    for (const control of document.querySelectorAll('a, button, summary, input, select, textarea')) {
      const { left, right, width, height } = control.getBoundingClientRect()
      if (!control.checkVisibility() || width <= 1 || height <= 1 || control.closest('[aria-hidden=true]')) continue
      const isMeant = (box: Element | null): boolean => {
        if (box === null || box === root) return false
        const style = getComputedStyle(box)
        return style.textOverflow === 'ellipsis' || /auto|scroll/.test(style.overflowX) || isMeant(box.parentElement)
      }
      const outside = left < -1 || right > root.clientWidth + 1
      if (outside && getComputedStyle(control).opacity !== '0' && !isMeant(control))
        faults.push(`<${control.tagName.toLowerCase()} class="${control.className}"> is outside of the window`)
    }
    return faults
  })
}

const LAYERS = 'reset tokens base components pages utilities'
const SHEETS_MAX = 5

/** What a page's sheets do wrong: too many of them, or one that comes before the order of the layers is set. */
export async function sheetFaults(page: Page): Promise<string[]> {
  const { sheets, layers } = await page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
    const names = rules.flatMap((rule) => {
      if (rule instanceof CSSLayerStatementRule) return rule.nameList
      return rule instanceof CSSLayerBlockRule ? [rule.name] : []
    })
    return { sheets: document.styleSheets.length, layers: [...new Set(names)].join(' ') }
  })
  const faults = sheets > SHEETS_MAX ? [`asks for ${sheets} sheets`] : []
  return layers === LAYERS ? faults : [...faults, `layers: ${layers}`]
}

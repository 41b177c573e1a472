import type { Locator, Page } from 'playwright'
import { expect, test } from '../fixture.ts'

/** The contrast of its ring with the ground around it, by the formula of WCAG. */
const ringContrast = (ringed: Locator) =>
  ringed.evaluate((element) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
    const channels = (colour: string) => {
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
    }
    const clear = 'rgba(0, 0, 0, 0)'
    const grounds: string[] = []
    for (let box = element.parentElement; box; box = box.parentElement)
      grounds.push(getComputedStyle(box).backgroundColor)
    const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    const [red, green, blue] = [0.2126, 0.7152, 0.0722]
    const light = (colour: string) => {
      const [r, g, b] = channels(colour).map((value) => linear(value / 255)) as [number, number, number]
      return red * r + green * g + blue * b
    }
    const ground = grounds.find((one) => one !== clear) as string
    const [less, more] = [light(ground), light(getComputedStyle(element).outlineColor)].sort((a, b) => a - b) as [
      number,
      number,
    ]
    return (more + 0.05) / (less + 0.05)
  })

/** Each field with what draws its ring. */
const FIELDS: readonly [path: string, field: (page: Page) => Locator, ring: string][] = [
  ['/login', (page) => page.getByLabel('E-mail'), '.input'],
  ['/dev/gallery/lists', (page) => page.locator('.tag-words').first(), '.tag-input'],
  ['/dev/gallery/lists', (page) => page.locator('.live-search-words').first(), '.live-search'],
]

for (const colorScheme of ['light', 'dark'] as const)
  test(`the ring around a field that has the focus stands out, ${colorScheme}`, async ({ open }) => {
    const page = await open()
    await page.emulateMedia({ colorScheme })
    for (const [path, field, ring] of FIELDS) {
      await page.goto(path)
      await field(page).focus()
      const ringed = page.locator(`${ring}:is(:focus-visible, :has(:focus-visible))`)
      await expect(ringed).toHaveCSS('outline-style', 'solid')
      expect(await ringContrast(ringed), ring).toBeGreaterThanOrEqual(3)
    }
  })

import type { CDPSession, Page } from 'playwright'

/** A path of a finger or a mouse: where it begins, where it ends, and how long it takes. */
export type Stroke = {
  readonly x: number
  readonly y: number
  readonly dx: number
  readonly dy: number
  readonly ms: number
  readonly restMs?: number
  /** When it begins, in seconds; else it ends now, or begins when the last one of the hand is over. */
  readonly at?: number
}
/** Does a stroke on the page, which takes it for as long as its `ms`, while hardly any time passes. Answers when it ended. */
export type Hand = (stroke: Stroke) => Promise<number>

const STEPS = 6
const APART_S = 0.005

/** The points of a stroke, with the time of each; the last one is where it is let go. */
function pointsOf({ x, y, dx, dy, ms, restMs = 0, at }: Stroke, after: number) {
  const start = at ?? Math.max(after + APART_S, Date.now() / 1_000 - (ms + restMs) / 1_000)
  const points = Array.from({ length: STEPS + 1 }, (_, n) => ({
    x: Math.round(x + (dx * n) / STEPS),
    y: Math.round(y + (dy * n) / STEPS),
    at: start + ((ms / 1_000) * n) / STEPS,
  }))
  return { points, up: start + (ms + restMs) / 1_000 }
}

/** A page knows no time before its own: what began earlier would all be at once, and fast. */
const isOlder = (page: Page, { ms, restMs = 0 }: Stroke) =>
  page.waitForFunction((least) => performance.now() > least, ms + restMs)

/** A finger on the glass. */
export async function fingerOf(page: Page): Promise<Hand> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
  let last = 0
  return async (stroke) => {
    await isOlder(page, stroke)
    const { points, up } = pointsOf(stroke, last)
    last = up
    for (const [n, { x, y, at }] of points.entries())
      await touch(cdp, n === 0 ? 'touchStart' : 'touchMove', [{ x, y }], at)
    await touch(cdp, 'touchEnd', [], up)
    return up
  }
}

export const touch = (
  cdp: CDPSession,
  type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
  touchPoints: readonly { x: number; y: number; id?: number }[],
  timestamp = Date.now() / 1_000,
) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints], timestamp })

/** A finger that moves as fast as the page draws: what the browser makes of the time between two movements is as with a member. */
export async function pacedFingerOf(page: Page): Promise<(from: Place, to: Place, frames: number) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
  return async (from, to, frames) => {
    await touch(cdp, 'touchStart', [from])
    for (let n = 1; n <= frames; n++) {
      const at = (one: number, other: number) => Math.round(one + ((other - one) * n) / frames)
      await touch(cdp, 'touchMove', [{ x: at(from.x, to.x), y: at(from.y, to.y) }])
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    await touch(cdp, 'touchEnd', [])
  }
}
type Place = { readonly x: number; readonly y: number }

/** A mouse with its left button. */
export async function mouseOf(page: Page): Promise<Hand> {
  const cdp = await page.context().newCDPSession(page)
  let last = 0
  return async (stroke) => {
    await isOlder(page, stroke)
    const { points, up } = pointsOf(stroke, last)
    last = up
    const send = (
      type: 'mousePressed' | 'mouseMoved' | 'mouseReleased',
      { x, y }: { x: number; y: number },
      at: number,
    ) =>
      cdp.send('Input.dispatchMouseEvent', {
        type,
        x,
        y,
        timestamp: at,
        button: 'left',
        buttons: type === 'mouseReleased' ? 0 : 1,
        clickCount: type === 'mouseMoved' ? 0 : 1,
      })
    for (const [n, point] of points.entries()) await send(n === 0 ? 'mousePressed' : 'mouseMoved', point, point.at)
    await send('mouseReleased', points.at(-1)!, up)
    return up
  }
}

/** Nine points of the card on top, from its corners to its middle. */
export async function ninePointsOf(page: Page): Promise<{ x: number; y: number }[]> {
  const box = await page.locator('.deck-card:not([aria-hidden])').evaluate((card) => {
    const { offsetWidth: width, offsetHeight: height, parentElement } = card as HTMLElement
    const { left, top } = parentElement!.getBoundingClientRect()
    return { left, top, width, height }
  })
  const shares = [0.06, 0.5, 0.94]
  return shares.flatMap((across) =>
    shares.map((down) => ({
      x: Math.round(box.left + box.width * across),
      y: Math.round(box.top + box.height * down),
    })),
  )
}

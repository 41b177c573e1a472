import type { Browser, Page } from 'playwright'
import { ninePointsOf } from '../../e2e/pages/hand.ts'

const SLOWER = 4
const FRAMES = 40
const SAME_FRAME_US = 4_000

/** Of the main thread while a card is dragged. */
export type FrameWork = {
  readonly frames: number
  readonly p95Ms: number
  readonly worstMs: number
  readonly forcedLayouts: number
}
type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Of the processor. */
  readonly tdur?: number
  readonly args: { readonly data?: { readonly type?: string } }
}

/** Drags the card to and fro on a processor that is slower, and counts the work of each frame by a trace. */
export async function workOfFrames(browser: Browser, page: Page, drags: number): Promise<FrameWork> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const { x, y } = (await ninePointsOf(page))[4]!
  const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline']
  // Each answer comes when the page has dealt with the movement, once a frame.
  const mouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', dx: number, dy = 0) =>
    cdp.send('Input.dispatchMouseEvent', { type, x: x + dx, y: y + dy, button: 'left', buttons: 1, clickCount: 1 })
  await browser.startTracing(page, { categories })
  for (let n = 0; n < drags; n++) {
    await mouse('mousePressed', 0)
    for (let step = 1; step <= FRAMES; step++)
      await mouse('mouseMoved', 110 * Math.sin((step / FRAMES) * 2 * Math.PI), step % 3)
    await mouse('mouseReleased', 0)
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return figuresOf(traceEvents)
}

function figuresOf(events: readonly TraceEvent[]): FrameWork {
  const isMove = ({ name, args }: TraceEvent) => name === 'EventDispatch' && args.data?.type === 'pointermove'
  const moved = events.find(isMove)
  if (!moved) throw new Error('The trace has no movement of the pointer.')
  const own = events.filter(({ pid, tid }) => pid === moved.pid && tid === moved.tid)
  // A frame begins with the first of its callbacks.
  const starts = own
    .filter(({ name }) => name === 'FireAnimationFrame')
    .map(({ ts }) => ts)
    .sort((one, other) => one - other)
    .filter((ts, n, all) => n === 0 || ts - all[n - 1]! > SAME_FRAME_US)
  const tasks = own
    .filter(({ name, ph }) => ph === 'X' && /RunTask$/.test(name))
    .sort((one, other) => one.ts - other.ts)
  const moves = own.filter(isMove).map(({ ts }) => ts)
  const works = starts.flatMap((from, n) => {
    const to = starts[n + 1]
    if (to === undefined || !moves.some((ts) => ts >= from && ts < to)) return []
    return [outermost(tasks.filter(({ ts }) => ts >= from && ts < to)) / 1_000]
  })
  const sorted = works.sort((one, other) => one - other)
  const calls = own.filter(({ name, ph }) => name === 'FunctionCall' && ph === 'X')
  const isWithin = ({ ts }: TraceEvent) => calls.some((call) => ts >= call.ts && ts < call.ts + (call.dur ?? 0))
  const forced = own.filter((event) => event.name === 'Layout' && isWithin(event))
  return {
    frames: sorted.length,
    p95Ms: round(sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN),
    worstMs: round(sorted.at(-1) ?? Number.NaN),
    forcedLayouts: forced.length,
  }
}

/** In time of the processor, which other programs of the machine take nothing of. A task within another one counts once. */
function outermost(tasks: readonly TraceEvent[]): number {
  let [sum, end] = [0, Number.NEGATIVE_INFINITY]
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    if (ts < end) continue
    sum += tdur
    end = ts + dur
  }
  return sum
}

const round = (ms: number) => Math.round(ms * 10) / 10

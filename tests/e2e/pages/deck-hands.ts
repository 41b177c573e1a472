import type { Page } from 'playwright'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { fingerOf, type Hand, mouseOf, ninePointsOf } from './hand.ts'

export type Size = { readonly width: number; readonly height: number; readonly touch: boolean }
export type Handled = {
  readonly acts: number
  readonly decided: number
  /** Decisions that were made and not taken, or not stored. */
  readonly lost: readonly string[]
  /** Decisions that nobody made, or that were sent twice. */
  readonly doubled: readonly string[]
}
type Side = 'skip' | 'buzz'
/** `decides`: what the act is to come to. */
type Act = { readonly name: string; readonly decides: Side | null; run(): Promise<unknown> }

const DECISION = '.deck-decision input[name=to]'
const PRESS_APART_MS = 300
const LATE_MS = 2_000
const DOUBLE_S = 0.08

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const isNot = ([selector, before]: readonly [string, string]) =>
  document.querySelector<HTMLInputElement>(selector)?.value !== before

/** Whose card is on top. */
const topOf = (page: Page) => page.locator(DECISION).first().inputValue()

/**
 * Does random things to the deck of a page one right after the other, as fast as a machine can, and compares what the page
 * shows, what it sent and what is stored with what was done.
 */
export async function handleDeck(
  world: World,
  me: Person,
  page: Page,
  size: Size,
  acts: number,
  seed: number,
): Promise<Handled> {
  const random = randomOf(seed)
  const sent: string[] = []
  let answers = 0
  page.on('request', (request) => {
    const body = new URLSearchParams(request.method() === 'POST' ? (request.postData() ?? '') : '')
    if (body.has('to')) sent.push(`${body.get('intent')} ${body.get('to')}`)
  })
  page.on('response', (response) => {
    if (response.request().method() === 'POST') answers += 1
  })
  await page.setViewportSize(size)
  await page.goto('/discover')
  const hand = await (size.touch ? fingerOf(page) : mouseOf(page))
  const choose = chooser(page, hand, random)
  const [made, lost, doubled]: [string[], string[], string[]] = [[], [], []]
  let last = 'nothing'
  for (let n = 0; n < acts; n++) {
    const before = await topOf(page)
    const { name: what, decides, run } = await choose()
    const name = `${what}, after ${last}`
    last = what
    await run()
    if (decides) made.push(`${decides} ${before}`)
    // A tap becomes a click, and a movement an event, a little later than it is done.
    if (decides)
      await page.waitForFunction(isNot, [DECISION, before] as const, { timeout: LATE_MS }).catch(() => undefined)
    const after = await topOf(page)
    if (decides && after === before) lost.push(`${n} ${name}`)
    if (!decides && after !== before) doubled.push(`${n} ${name}`)
  }
  const taken = made.length - lost.length
  await until('all answers', () => sent.length >= taken && answers >= sent.length)
  await world.settled()
  const { users } = (await (await world.api('/social/liked?limit=50', { as: me })).json()) as {
    users: { id: string }[]
  }
  const buzzed = made.filter((one) => one.startsWith('buzz '))
  for (const one of made) {
    const times = sent.filter((other) => other === one).length
    if (times === 0) lost.push(`${one} was not sent`)
    if (times > 1) doubled.push(`${one} was sent ${times} times`)
  }
  for (const one of sent) if (!made.includes(one)) doubled.push(`${one} was sent, and not made`)
  for (const one of buzzed) if (!users.some(({ id }) => `buzz ${id}` === one)) lost.push(`${one} is not stored`)
  return { acts, decided: made.length, lost, doubled }
}

/** The next act, at random. */
function chooser(page: Page, hand: Hand, random: () => number): () => Promise<Act> {
  let [pressedAt, isGliding] = [0, false]
  const between = (from: number, to: number) => Math.round(from + random() * (to - from))
  const side = (): Side => (random() < 0.5 ? 'skip' : 'buzz')
  const signOf = (to: Side) => (to === 'buzz' ? 1 : -1)
  async function stroke(
    name: string,
    decides: Side | null,
    how: { dx: number; dy?: number; ms: number; restMs?: number },
  ) {
    const points = await ninePointsOf(page)
    const point = points[Math.floor(random() * points.length)]!
    const stroke = { ...point, dy: between(-8, 8), ...how }
    return { name: `${name} ${JSON.stringify(stroke)}`, decides, run: () => hand(stroke) }
  }
  const keys = (to: Side, times: number): Act => ({
    name: `key ${to}, ${times} times`,
    decides: to,
    async run() {
      const key = to === 'buzz' ? 'ArrowRight' : 'ArrowLeft'
      for (let n = 0; n < times; n++) await page.keyboard.down(key)
      await page.keyboard.up(key)
    },
  })
  const press = (to: Side, taps: 1 | 2): Act => ({
    name: `${taps} taps on ${to}`,
    decides: to,
    async run() {
      const button = page.locator(`.deck-decision:has([value=${to}]) button`)
      const { x, y, width, height } = (await button.boundingBox())!
      const tap = { x: x + width / 2, y: y + height / 2, dx: 0, dy: 0, ms: 20 }
      const up = await hand(tap)
      const last = taps === 2 ? await hand({ ...tap, at: up + DOUBLE_S }) : up
      pressedAt = last * 1_000
    },
  })
  return async () => {
    const to = side()
    const along = () =>
      stroke('drag along the card', null, { dx: between(-20, 20), dy: between(60, 140), ms: between(60, 300) })
    const kinds: (() => Promise<Act> | Act)[] = [
      () => stroke(`drag ${to}`, to, { dx: signOf(to) * between(124, 220), ms: between(150, 500) }),
      () => stroke(`flick ${to}`, to, { dx: signOf(to) * between(60, 110), ms: between(30, 80) }),
      () =>
        stroke('drag that springs back', null, {
          dx: signOf(to) * between(12, 116),
          ms: between(80, 300),
          restMs: 200,
        }),
      along,
      () => keys(to, 1),
      () => keys(to, 4),
      ...(Date.now() - pressedAt > PRESS_APART_MS && !isGliding ? [() => press(to, 1), () => press(to, 2)] : []),
    ]
    const kind = kinds[Math.floor(random() * kinds.length)]!
    const act = await kind()
    // What goes along the card scrolls, and the next touch after a scroll only halts it: so browsers have it.
    isGliding = kind === along || (isGliding && act.name.startsWith('key'))
    return act
  }
}

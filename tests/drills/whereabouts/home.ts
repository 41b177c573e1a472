import type { Chance } from '../../../server/demo/random.ts'
import type { Sighting } from './accounts.ts'
import { apart, measured, type Point, pastEdge, plus, spread, towards } from './plane.ts'
import { REPORT_EVERY_S, type Rule, type Target } from './target.ts'

const DAY_S = 86_400
const STAY_REPORT_EVERY_S = 1_800
const STEP_M = 25

/** Someone who lives here and goes out by day: to one and the same workplace, or anywhere. */
export type Life = { readonly home: Point; readonly work: Point | null; readonly noiseM: number; readonly days: number }
/** What is published while they sleep, and while they are at work, in seconds. */
export const nightOf = (day: number): number => day * DAY_S + 4 * 3_600
export const noonOf = (day: number): number => day * DAY_S + 12 * 3_600

/** Lives so for days, out from nine to five or for an hour's round. */
export function live(target: Target, { home, work, noiseM, days }: Life, chance: Chance): void {
  const stay = (at: Point, from: number, to: number) => {
    for (let second = from; second < to; second += STAY_REPORT_EVERY_S)
      target.report(measured(at, noiseM, chance), second)
  }
  const go = (from: Point, to: Point, start: number, speed: number) => {
    const length = Math.max(1, apart(from, to))
    for (let gone = 0; gone < length; gone += speed * REPORT_EVERY_S) {
      const at = { x: from.x + ((to.x - from.x) * gone) / length, y: from.y + ((to.y - from.y) * gone) / length }
      target.report(measured(at, noiseM, chance), start + gone / speed)
    }
  }
  for (let day = 0; day < days; day++) {
    const midnight = day * DAY_S
    const goal = work ?? plus(home, towards(spread(chance, 0, 2 * Math.PI), spread(chance, 1_200, 3_000)))
    const speed = work ? spread(chance, 4, 9) : 1.4
    stay(home, midnight, midnight + 8 * 3_600)
    go(home, goal, midnight + 8 * 3_600, speed)
    if (work) stay(work, midnight + 10 * 3_600, midnight + 17 * 3_600)
    go(goal, home, midnight + 17 * 3_600, speed)
    stay(home, midnight + 19 * 3_600, midnight + DAY_S)
  }
  target.pass(days * DAY_S)
}

/**
 * Where someone stays who was seen in these cells when they were there: the mean over all points from which each of
 * these cells can have been kept, and one of them entered.
 */
export function guessStay(seen: readonly Sighting['centre'][], { marginM }: Rule, noiseM: number): Point {
  const scale = Math.max(STEP_M / 2, noiseM)
  const [xs, ys] = [seen.map((centre) => centre.x), seen.map((centre) => centre.y)]
  const reach = 500 + marginM + 3 * scale
  let [x, y, weight] = [0, 0, 0]
  for (let east = Math.max(...xs) - reach; east <= Math.min(...xs) + reach; east += STEP_M)
    for (let north = Math.max(...ys) - reach; north <= Math.min(...ys) + reach; north += STEP_M) {
      let [nearest, furthest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      for (const centre of seen) {
        const past = pastEdge({ x: east, y: north }, centre)
        nearest = Math.min(nearest, past)
        furthest = Math.max(furthest, past)
      }
      const outside = Math.max(0, nearest, furthest - marginM) / scale
      const likely = outside > 3 ? 0 : Math.exp((outside * -outside) / 2)
      x += east * likely
      y += north * likely
      weight += likely
    }
  return { x: x / weight, y: y / weight }
}

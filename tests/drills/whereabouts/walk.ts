import type { Chance } from '../../../server/demo/random.ts'
import type { Sighting } from './accounts.ts'
import { measured, normal, type Point, pastEdge, plus, spread, towards } from './plane.ts'
import { REPORT_EVERY_S, type Rule, type Target } from './target.ts'

export const HOUR_S = 3_600
const [SLOWEST, FASTEST] = [1.1, 1.6]
const NOISE_M = 15
const STEPS = 4_000

/** Straight on at one speed, in metres a second. */
export type Walk = { readonly from: Point; readonly angle: number; readonly speed: number }
export const whereOn = ({ from, angle, speed }: Walk, second: number): Point =>
  plus(from, towards(angle, speed * second))

export function walkStraight(target: Target, chance: Chance): Walk {
  const from = { x: spread(chance, -1_500, 1_500), y: spread(chance, -1_500, 1_500) }
  const walk = { from, angle: spread(chance, 0, 2 * Math.PI), speed: spread(chance, SLOWEST, FASTEST) }
  for (let second = 0; second <= HOUR_S; second += REPORT_EVERY_S)
    target.report(measured(whereOn(walk, second), NOISE_M, chance), second)
  target.pass(HOUR_S)
  return walk
}

/**
 * Where a walker was at these seconds, on their own grid: the mean over walks drawn in proportion to how well they
 * explain what was seen (Metropolis), with the rule and the spread of its delays known. The first one drawn is the true
 * walk, which can only help the attacker.
 */
export function guessWalk(
  truth: Walk,
  sightings: readonly Sighting[],
  seconds: readonly number[],
  { rule, chance, steps = STEPS }: { rule: Rule; chance: Chance; steps?: number },
): Point[] {
  let walk = truth
  let likelihood = logLikelihood(walk, sightings, rule)
  const sums = seconds.map(() => ({ x: 0, y: 0 }))
  for (let step = 0; step < steps; step++) {
    const proposed = stepFrom(walk, chance)
    const its = logLikelihood(proposed, sightings, rule)
    if (its >= likelihood || chance.next() < Math.exp(its - likelihood)) {
      walk = proposed
      likelihood = its
    }
    seconds.forEach((second, n) => {
      const at = whereOn(walk, second)
      sums[n]!.x += at.x / steps
      sums[n]!.y += at.y / steps
    })
  }
  return sums
}

/** Turned about the middle of the hour, so that a turn does not throw either end far off. */
function stepFrom({ from, angle, speed }: Walk, chance: Chance): Walk {
  const size = chance.pick([0.05, 0.2, 1])
  const middle = plus(from, towards(angle, (speed * HOUR_S) / 2))
  const moved = plus(middle, { x: normal(chance) * 300 * size, y: normal(chance) * 300 * size })
  const turned = angle + normal(chance) * 0.3 * size
  const faster = speed + normal(chance) * 0.15 * size
  return { from: plus(moved, towards(turned, (-faster * HOUR_S) / 2)), angle: turned, speed: faster }
}

const loss = (by: number, scale: number) => (by > 0 ? (by / scale) ** 2 / 2 : 0)

function logLikelihood(walk: Walk, sightings: readonly Sighting[], rule: Rule): number {
  if (walk.speed < SLOWEST || walk.speed > FASTEST) return Number.NEGATIVE_INFINITY
  const [first, ...changes] = sightings
  if (!first) return 0
  let lost = loss(pastEdge(whereOn(walk, 0), first.centre), NOISE_M)
  let before = first
  for (const change of changes) {
    const left = leaves(walk, before, rule)
    const [earliest, latest] = [left + rule.least, left + REPORT_EVERY_S + rule.most]
    lost += loss(Math.max(earliest - change.from, before.to - latest), 10)
    // The cell is that of the last report before the change.
    const shown = (Math.min(change.from, before.to + REPORT_EVERY_S) + before.to) / 2 - REPORT_EVERY_S / 2
    lost += loss(pastEdge(whereOn(walk, shown), change.centre), NOISE_M + 0.3 * (change.from - before.to))
    before = change
  }
  const waited = HOUR_S - leaves(walk, before, rule) - rule.least
  const still = 1 - waited / (rule.most - rule.least + REPORT_EVERY_S)
  return Math.log(Math.min(1, Math.max(1e-6, still))) - lost
}

/** When the walker is past the margin of a cell since it was published. */
function leaves({ from, angle, speed }: Walk, { centre, from: since }: Sighting, { marginM }: Rule): number {
  const reach = 500 + marginM
  const onAxis = (start: number, velocity: number) => {
    if (Math.abs(velocity) < 1e-9) return Math.abs(start) < reach ? Number.POSITIVE_INFINITY : 0
    return (Math.sign(velocity) * reach - start) / velocity
  }
  const out = Math.min(
    onAxis(from.x - centre.x, Math.cos(angle) * speed),
    onAxis(from.y - centre.y, Math.sin(angle) * speed),
  )
  return Math.max(since, out)
}

import { type Cell, cellAt, DISCOVER_CELL_M, distanceBetween } from '../../../domain/shared/grid.ts'
import type { Chance } from '../../../server/demo/random.ts'
import { type Point, spread, towards } from './plane.ts'
import { publishedAt, type Target } from './target.ts'

/** An account is moved at most twice a minute and reads at most thirty times (api-contract §6.2). */
const MOVE_EVERY_S = 31
const READ_EVERY_S = 2
const SPOTS = 4
const AREA_M = 9_000
const NEAR_M = 5_000

/** A cell that was read off, its centre as the attacker's map has it: published from `from` at the latest to `to`. */
export type Sighting = { readonly centre: Point; from: number; to: number }
type Reading = { readonly spot: number; readonly miles: number }
/** A cell that may be the one, with its distances from the first few spots. */
type Candidate = { readonly cell: Cell; readonly centre: Point; readonly miles: readonly number[] }

/**
 * So many accounts around a member who read the distance to the member. One alone goes from spot to spot and puts its
 * readings together; three or more read at once.
 */
export type Accounts = {
  /** Every cell that is seen in so many seconds of reading without a pause. */
  watch(seconds: number): Sighting[]
  /** The cell at one moment; null when the readings fit none or several. */
  look(second: number): Point | null
}

export function createAccounts(target: Target, count: number, chance: Chance): Accounts {
  const alone = count < 3
  const spots = spotsAround(target, alone ? SPOTS : count, chance)
  const candidates = candidatesFor(target, spots)
  const read = (spot: number, second: number): Reading => ({
    spot,
    miles: milesBetween(spots[spot]!, publishedAt(target, second)),
  })
  const fitting = (readings: readonly Reading[], near?: Point): Point | null => {
    const fit = candidates.filter(({ cell, centre, miles }) => {
      if (near && !isNear(centre, near)) return false
      return readings.every((one) => one.miles === (miles[one.spot] ?? milesBetween(spots[one.spot]!, cell)))
    })
    return fit.length === 1 ? fit[0]!.centre : null
  }
  const after = (second: number) => spots.map((_, spot) => read(spot, alone ? second + spot * MOVE_EVERY_S : second))
  const noted = (sightings: Sighting[], centre: Point | null, from: number, to: number) => {
    const last = sightings.at(-1)
    if (centre && last?.centre === centre) last.to = to
    else if (centre) sightings.push({ centre, from, to })
    return sightings
  }
  return {
    look: (second) => fitting(after(second)),
    watch(seconds) {
      const sightings: Sighting[] = []
      if (alone) {
        for (let from = 0, first = 0; from + (SPOTS - 1) * MOVE_EVERY_S <= seconds; from += MOVE_EVERY_S, first++) {
          const readings = spots.map((_, n) => read((first + n) % SPOTS, from + n * MOVE_EVERY_S))
          noted(sightings, fitting(readings, sightings.at(-1)?.centre), from, from + (SPOTS - 1) * MOVE_EVERY_S)
        }
        return sightings
      }
      const every = (READ_EVERY_S * 3) / count
      // Between two changes every reading is the same: the first and the last stand for all.
      const firsts = target.changes.map(({ at }) => Math.ceil(at / every) * every)
      firsts.forEach((first, n) => {
        const last = Math.min(seconds, (firsts[n + 1] ?? Number.POSITIVE_INFINITY) - every)
        if (first <= last) noted(sightings, fitting(after(first), sightings.at(-1)?.centre), first, last)
      })
      return sightings
    },
  }
}

const milesBetween = (a: Cell, b: Cell) => distanceBetween(a, b).miles
const isNear = (a: Point, b: Point) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) < NEAR_M

function spotsAround({ plane }: Target, count: number, chance: Chance): Cell[] {
  return Array.from({ length: count }, (_, n) => {
    const angle = ((n + chance.next() * 0.5) / count) * 2 * Math.PI
    return cellAt(plane.toEarth(towards(angle, spread(chance, 3_000, 7_000))), DISCOVER_CELL_M)
  })
}

/** Every cell for kilometres around. */
function candidatesFor({ plane }: Target, spots: readonly Cell[]): Candidate[] {
  const cells = new Map<string, Cell>()
  for (let x = -AREA_M; x <= AREA_M; x += 700)
    for (let y = -AREA_M; y <= AREA_M; y += 700) {
      const cell = cellAt(plane.toEarth({ x, y }), DISCOVER_CELL_M)
      cells.set(`${cell.row} ${cell.col}`, cell)
    }
  return [...cells.values()].map((cell) => ({
    cell,
    centre: plane.toPlane(cell),
    miles: spots.slice(0, SPOTS).map((spot) => milesBetween(spot, cell)),
  }))
}

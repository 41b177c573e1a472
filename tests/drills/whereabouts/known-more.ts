import { cellAt, DISCOVER_CELL_M } from '../../../domain/shared/grid.ts'
import { gridOffset, onOwnGrid } from '../../../domain/shared/published-cell.ts'
import { type Chance, createChance } from '../../../server/demo/random.ts'
import { apart, createPlane, minus, type Plane, type Point, spread } from './plane.ts'

/** Metres off of whoever knows more than the product shows, for so many members each; no bar holds for these. */
export function knownMore({ members, seed }: { members: number; seed: number }): Record<string, number[]> {
  const chance = createChance(seed)
  const each = (way: (chance: Chance) => number) => Array.from({ length: members }, () => way(chance))
  return {
    'every step on the own grid known': each(everyStep),
    'two known to live together': each(together),
    'the workplace known': each(workplace),
  }
}

const anOffset = (chance: Chance) => gridOffset(chance.next(), chance.next())
const aPoint = (chance: Chance): Point => ({ x: spread(chance, -9_000, 9_000), y: spread(chance, -9_000, 9_000) })
const aPlane = (chance: Chance) => createPlane({ lat: spread(chance, -55, 62), lng: spread(chance, -170, 170) })

function cellOf(plane: Plane, point: Point, offset: ReturnType<typeof anOffset>): Point {
  return plane.toPlane(cellAt(onOwnGrid(plane.toEarth(point), offset), DISCOVER_CELL_M))
}

function everyStep(chance: Chance): number {
  const { east, north } = anOffset(chance)
  return Math.hypot(east, north)
}

/** Halfway between the two cells. */
function together(chance: Chance): number {
  const [plane, home] = [aPlane(chance), aPoint(chance)]
  const [one, other] = [cellOf(plane, home, anOffset(chance)), cellOf(plane, home, anOffset(chance))]
  return apart(home, { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })
}

/** The cell at work leaves some offsets only, and the cell at home is put right by their middle. */
function workplace(chance: Chance): number {
  const [plane, home, work, offset] = [aPlane(chance), aPoint(chance), aPoint(chance), anOffset(chance)]
  const [atHome, atWork] = [cellOf(plane, home, offset), cellOf(plane, work, offset)]
  const from = minus(atWork, work)
  const middle = (by: number) => (Math.max(-500, by - 500) + Math.min(500, by + 500)) / 2
  return apart(home, minus(atHome, { x: middle(from.x), y: middle(from.y) }))
}

import { type Cell, cellAt, DISCOVER_CELL_M } from '../../../domain/shared/grid.ts'
import {
  afterPosition,
  CELL_DELAY_MS,
  CELL_MARGIN_M,
  type GridOffset,
  gridOffset,
  isSameCell,
  onOwnGrid,
  type Publication,
  publishedBy,
} from '../../../domain/shared/published-cell.ts'
import type { Chance } from '../../../server/demo/random.ts'
import { createPlane, type Plane, type Point, spread } from './plane.ts'

/** How cells are published: the product's rule, and one without margin and delay beside it. Seconds. */
export type Rule = { readonly marginM: number; readonly least: number; readonly most: number }
export const PRODUCT: Rule = {
  marginM: CELL_MARGIN_M,
  least: CELL_DELAY_MS.least / 1000,
  most: CELL_DELAY_MS.most / 1000,
}
export const AT_ONCE: Rule = { marginM: 0, least: 0, most: 0 }
/** A device that reports as often as the product lets it. */
export const REPORT_EVERY_S = 30

export type Change = { readonly at: number; readonly cell: Cell }

/** A member whose positions go through the product's own functions, and what is published of them. */
export type Target = {
  readonly plane: Plane
  readonly offset: GridOffset
  /** Where their own grid shows a location. */
  seen(point: Point): Point
  report(point: Point, second: number): void
  /** Makes a change that is due by then. */
  pass(second: number): void
  readonly changes: readonly Change[]
}

export function createTarget(rule: Rule, chance: Chance): Target {
  // Where cells of neighbouring rows lie apart differs with the location.
  const plane = createPlane({ lat: spread(chance, -55, 62), lng: spread(chance, -170, 170) })
  const offset = gridOffset(chance.next(), chance.next())
  const onGrid = (point: Point) => onOwnGrid(plane.toEarth(point), offset)
  const changes: Change[] = []
  let publication: Publication | null = null
  const become = (next: Publication, second: number) => {
    if (!publication || !isSameCell(publication.cell, next.cell)) changes.push({ at: second, cell: next.cell })
    publication = next
  }
  const pass = (second: number) => {
    const due = publication?.next?.dueAt
    if (publication && due && due.getTime() <= second * 1000)
      become(publishedBy(publication, due), due.getTime() / 1000)
  }
  return {
    plane,
    offset,
    seen: (point) => plane.toPlane(onGrid(point)),
    report(point, second) {
      pass(second)
      const at = onGrid(point)
      if (!publication) return become({ cell: cellAt(at, DISCOVER_CELL_M), next: null }, second)
      const delayMs = Math.round(spread(chance, rule.least, rule.most) * 1000)
      const asked = { now: new Date(second * 1000), delayMs, marginM: rule.marginM }
      become(afterPosition(publication, at, asked), second)
      pass(second)
    },
    pass,
    changes,
  }
}

/** The cell that is published at that second. */
export function publishedAt({ changes }: Target, second: number): Cell {
  const change = changes.findLast(({ at }) => at <= second) ?? changes[0]
  if (!change) throw new Error('Nothing was reported.')
  return change.cell
}

import { type Cell, cellAt, DISCOVER_CELL_M, type LatLng, METRES_PER_DEGREE } from './grid.ts'

/** A published cell stays until a position is so far past its edge (security §2.1). */
export const CELL_MARGIN_M = 150
/** From such a position to the next cell's publication, drawn anew for each change, in milliseconds. */
export const CELL_DELAY_MS = { least: 2 * 60_000, most: 12 * 60_000 } as const

/** How far a member's own grid lies from the common one, in metres; at most half a cell each way. */
export type GridOffset = { readonly east: number; readonly north: number }

/** The cell that others' distances come from, and what it becomes when that is due. */
export type Publication = { readonly cell: Cell; readonly next: { readonly cell: Cell; readonly dueAt: Date } | null }

/** Of two numbers from 0 to 1, evenly spread over a cell: positions modulo a cell reveal nothing without the offset. */
export function gridOffset(east: number, north: number): GridOffset {
  return { east: (east - 0.5) * DISCOVER_CELL_M, north: (north - 0.5) * DISCOVER_CELL_M }
}

/**
 * A location as the common grid sees it through a member's own: the cell it is in there is the one that is published.
 * Every published cell is one of the common grid, so that distances between any two are as exact, and as symmetric, as
 * without an offset.
 */
export function onOwnGrid({ lat, lng }: LatLng, { east, north }: GridOffset): LatLng {
  const shifted = Math.min(90, Math.max(-90, lat + north / METRES_PER_DEGREE))
  const perDegree = METRES_PER_DEGREE * Math.max(1e-9, Math.cos((lat * Math.PI) / 180))
  return { lat: shifted, lng: aroundTheGlobe(lng + east / perDegree) }
}

/** Between -180 and 180. */
const aroundTheGlobe = (lng: number) => (Math.abs(lng) <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180)

/** The published cell while `at`, on the member's own grid, is less than the margin past its edge, else the one there. */
export function cellKept(published: Cell, at: LatLng, marginM: number = CELL_MARGIN_M): Cell {
  const reach = DISCOVER_CELL_M / 2 + marginM
  const north = Math.abs(at.lat - published.lat) * METRES_PER_DEGREE
  const degreesEast = Math.abs(aroundTheGlobe(at.lng - published.lng))
  const east = degreesEast * METRES_PER_DEGREE * Math.cos((published.lat * Math.PI) / 180)
  return Math.max(north, east) < reach ? published : cellAt(at, DISCOVER_CELL_M)
}

/** With a change that is due by now made. */
export function publishedBy(publication: Publication, now: Date): Publication {
  const { next } = publication
  return next && next.dueAt <= now ? { cell: next.cell, next: null } : publication
}

/**
 * What a measured position makes of it. Back within the margin, a change that waits is dropped; further on, its cell is
 * the latest one and its time stays: when a change shows does not reveal when an edge was crossed, and whoever travels
 * is shown where they were before for no longer than the longest delay.
 */
export function afterPosition(
  publication: Publication,
  at: LatLng,
  { now, delayMs, marginM = CELL_MARGIN_M }: { now: Date; delayMs: number; marginM?: number },
): Publication {
  const { cell, next } = publishedBy(publication, now)
  const target = cellKept(cell, at, marginM)
  if (isSameCell(target, cell)) return { cell, next: null }
  return { cell, next: { cell: target, dueAt: next?.dueAt ?? new Date(now.getTime() + delayMs) } }
}

export const isSameCell = (a: Cell, b: Cell): boolean => a.row === b.row && a.col === b.col

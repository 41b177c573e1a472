import { type LatLng, METRES_PER_DEGREE } from '../../../domain/shared/grid.ts'
import type { Chance } from '../../../server/demo/random.ts'

/** Metres east and north of where a simulated member lives. */
export type Point = { readonly x: number; readonly y: number }
export type Plane = { toEarth(point: Point): LatLng; toPlane(at: LatLng): Point }

export function createPlane({ lat, lng }: LatLng): Plane {
  const perDegree = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
  return {
    toEarth: ({ x, y }) => ({ lat: lat + y / METRES_PER_DEGREE, lng: lng + x / perDegree }),
    toPlane: (at) => ({ x: (at.lng - lng) * perDegree, y: (at.lat - lat) * METRES_PER_DEGREE }),
  }
}

export const plus = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y })
export const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y })
export const towards = (angle: number, metres: number): Point => ({
  x: Math.cos(angle) * metres,
  y: Math.sin(angle) * metres,
})
export const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

/** Further from a cell's centre than its half, on the axis where it is further. */
export const pastEdge = (point: Point, centre: Point): number =>
  Math.max(Math.abs(point.x - centre.x), Math.abs(point.y - centre.y)) - 500

export const spread = (chance: Chance, least: number, most: number): number => least + chance.next() * (most - least)

/** Normal, of spread 1. */
export const normal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next())

/** As a device is off: so many metres each way. */
export const measured = (point: Point, metres: number, chance: Chance): Point =>
  plus(point, { x: normal(chance) * metres, y: normal(chance) * metres })

/** The value below which that share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

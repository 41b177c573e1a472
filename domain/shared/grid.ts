/**
 * Locations as cells of a grid (security §2.1). Whatever is shown, filtered or sorted by distance is computed between
 * the centres of cells, so that no answer depends on where in its cell a member is.
 */
export type Cell = {
  readonly row: number
  readonly col: number
  /** The centre, in degrees. */
  readonly lat: number
  readonly lng: number
}
export type LatLng = { readonly lat: number; readonly lng: number }

/** Cells of Discover and profiles, and of MicroBuzz, in metres. */
export const DISCOVER_CELL_M = 1000
export const MICROBUZZ_CELL_M = 250
/** What stands for "in the same cell" (security §2.1). */
export const DISCOVER_NEAREST_M = 500
export const MICROBUZZ_NEAREST_M = 150

export const METRES_PER_DEGREE = 111_195
export const EARTH_RADIUS_M = 6_371_008.8
const METRES_PER_MILE = 1609.344

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Finite, -90 to 90 and -180 to 180. */
export function isLatLng({ lat, lng }: LatLng): boolean {
  return Number.isFinite(lat) && Number.isFinite(lng) && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
}

/** The cell that contains a location; `size` is its side in metres. */
export function cellAt({ lat, lng }: LatLng, size: number): Cell {
  const dLat = size / METRES_PER_DEGREE
  // Adding 0 turns -0 into 0.
  const row = Math.floor(lat / dLat) + 0
  const centreLat = Math.min(90, Math.max(-90, (row + 0.5) * dLat))
  // Near a pole a row has few cells, at least one.
  const dLng = Math.min(360, size / (METRES_PER_DEGREE * Math.max(1e-9, Math.cos(radians(centreLat)))))
  const col = Math.floor(lng / dLng) + 0
  return { row, col, lat: centreLat, lng: Math.min(180, Math.max(-180, (col + 0.5) * dLng)) }
}

/** Great-circle distance in metres. */
export function metresBetween(a: LatLng, b: LatLng): number {
  const [dLat, dLng] = [radians(b.lat - a.lat), radians(b.lng - a.lng)]
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)))
}

export const toMiles = (metres: number): number => metres / METRES_PER_MILE
export const toMetres = (miles: number): number => miles * METRES_PER_MILE

/** What a viewer sees: miles to one decimal, the same in metres, and words. */
export type Distance = { readonly miles: number; readonly metres: number; readonly band: string }

/** Between the centres of two cells, rounded to 0.1 mi and never less than `nearestM`. The same both ways. */
export function distanceBetween(a: LatLng, b: LatLng, nearestM: number = DISCOVER_NEAREST_M): Distance {
  const exact = metresBetween(a, b)
  const lowest = Math.round(toMiles(nearestM) * 10) / 10
  const miles = Math.round(toMiles(exact) * 10) / 10
  if (miles <= lowest) return { miles: lowest, metres: nearestM, band: bandOf(lowest) }
  return { miles, metres: Math.round(toMetres(miles)), band: bandOf(miles) }
}

const BANDS = [0.5, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]

/** "less than 0.5 mi" and so on up; "more than 1000 mi" beyond. */
export function bandOf(miles: number): string {
  const limit = BANDS.find((band) => miles < band)
  return limit === undefined ? 'more than 1000 mi' : `less than ${limit} mi`
}

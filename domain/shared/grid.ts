/** Metres of one degree of latitude (security §2.1). */
export const METERS_PER_DEGREE = 111_195
export const METERS_PER_MILE = 1609.344
export const EARTH_RADIUS_METERS = 6_371_008.8

/** Sides of a cell in metres; distances of people are between cells, never between positions (ruling R7). */
export const DISCOVER_CELL_METERS = 1000
export const MICROBUZZ_CELL_METERS = 250
/** The rounded distance of a Discover cell to its corner neighbours: no limit reaches less far (ruling R8). */
export const NEIGHBOUR_MILES = 0.9

/** A square of the grid; `lat` and `lng` are its centre in degrees. */
export type Cell = { readonly row: number; readonly col: number; readonly lat: number; readonly lng: number }
export type Centre = Pick<Cell, 'lat' | 'lng'>

/** The cell of a position; `size` in metres. */
export function cell(lat: number, lng: number, size: number): Cell {
  const dLat = size / METERS_PER_DEGREE
  const row = Math.floor(lat / dLat)
  const centreLat = (row + 0.5) * dLat
  const dLng = size / (METERS_PER_DEGREE * Math.max(Math.cos(radians(centreLat)), 1e-6))
  const col = Math.floor(lng / dLng)
  return { row, col, lat: centreLat, lng: (col + 0.5) * dLng }
}

/** Great-circle metres between two centres. */
export function metersBetween(a: Centre, b: Centre): number {
  const sinLat = Math.sin(radians(b.lat - a.lat) / 2)
  const sinLng = Math.sin(radians(b.lng - a.lng) / 2)
  const h = sinLat * sinLat + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * sinLng * sinLng
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Miles between two centres, rounded to 0.1 (spec 2 §9). */
export function milesBetween(a: Centre, b: Centre): number {
  return Math.round((metersBetween(a, b) / METERS_PER_MILE) * 10) / 10
}

/** What may be told of a distance: metres no finer than the cells, and words. The same cell gives the lowest band. */
export function shownDistance(miles: number): { distanceMeters: number; distanceBand: string } {
  if (miles < 0.5) return { distanceMeters: 500, distanceBand: 'less than 0.5 mi' }
  const band = miles <= 1000 ? `${Math.max(1, Math.round(miles))} mi` : '1000+ miles'
  return { distanceMeters: Math.round(miles * METERS_PER_MILE), distanceBand: band }
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

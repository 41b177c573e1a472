import { type LatLng, METRES_PER_DEGREE } from '../../../domain/shared/grid.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { onOwnGrid } from '../../../domain/shared/published-cell.ts'
import { createGridOffsets, gridKeyOf } from '../../../services/nearby/publication.ts'

/** So many metres east and north of a location. */
export function metresFrom({ lat, lng }: LatLng, east: number, north = 0): LatLng {
  const perDegree = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
  return { lat: lat + north / METRES_PER_DEGREE, lng: lng + east / perDegree }
}

/** Where a member is whose own grid shows them at this location: for tests, which know the key. */
export function whereSeenAt(seen: LatLng, member: string, masterKey: Buffer): LatLng {
  const { east, north } = createGridOffsets(gridKeyOf(masterKey))(member as MemberId)
  return onOwnGrid(seen, { east: -east, north: -north })
}

import { type LatLng, METRES_PER_DEGREE, metresBetween, toMetres, toMiles } from '../../domain/shared/grid.ts'
import type { Town, Towns } from '../../services/nearby/towns.ts'
import type { Chance } from './random.ts'

/** Lisbon: where the demo world is unless another location is chosen. */
export const DEMO_LOCATION: LatLng = { lat: 38.72, lng: -9.14 }

const NEAR_MILES = 14.5
const FAR_MILES = [55, 480] as const
const FAR_SHARE = 0.15
/** A town this near gives its name to the location. */
const NAMED_MILES = 30

export type Home = { readonly location: LatLng; readonly town: Town | null }

/** Most live within fifteen miles, the others in towns up to five hundred away; `near` keeps someone close. */
export async function makeHome(chance: Chance, around: LatLng, towns: Towns, near = false): Promise<Home> {
  const far = chance.chance(FAR_SHARE) && !near
  const miles = far ? chance.between(...FAR_MILES) : NEAR_MILES * Math.sqrt(chance.next())
  const spot = moved(around, miles, chance.next() * 2 * Math.PI)
  const town = await towns.nearest(spot)
  const away = town ? toMiles(metresBetween(spot, town)) : Number.POSITIVE_INFINITY
  if (!far) return { location: spot, town: away <= NAMED_MILES ? town : null }
  return town && isFar(around, town)
    ? { location: moved(town, chance.next() * 2, chance.next() * 6), town }
    : { location: spot, town: null }
}

function isFar(around: LatLng, location: LatLng): boolean {
  const miles = toMiles(metresBetween(around, location))
  return miles >= FAR_MILES[0] && miles <= FAR_MILES[1]
}

/** So many miles away in that direction (radians); flat, which will do for these distances. */
export function moved({ lat, lng }: LatLng, miles: number, direction: number): LatLng {
  const degrees = toMetres(miles) / METRES_PER_DEGREE
  const north = Math.max(-85, Math.min(85, lat + degrees * Math.cos(direction)))
  const widest = Math.cos((Math.max(Math.abs(lat), Math.abs(north)) * Math.PI) / 180)
  const east = lng + (degrees * Math.sin(direction)) / widest
  return { lat: north, lng: ((east + 540) % 360) - 180 }
}

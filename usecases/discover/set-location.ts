import type { LatLng } from '../../domain/shared/grid.ts'
import type { PositionRefusal } from '../../services/nearby/accept.ts'
import type { Town } from '../../services/nearby/towns.ts'
import { slowDown } from '../act.ts'
import { done, type Outcome, type Refused, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** A measured position, or a town by its name or id. */
export type Location = LatLng | { readonly town: string }
export type LocationRefusal = PositionRefusal | 'unknown-town' | 'slow-down'
/** More than one town has this name: one of them is to be chosen. */
export type SeveralTowns = Refused<'several-towns'> & { readonly towns: readonly Town[] }
/** `moved`: the member is in another grid cell than before. */
export type LocationOutcome = Outcome<{ moved: boolean }, LocationRefusal> | SeveralTowns

/** Sets where the member is; others only ever learn the 1 km cell (security T1). */
export async function setLocation(acting: Acting, location: Location): Promise<LocationOutcome> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { positions, towns, who } = acting
  if (!('town' in location)) return outcomeOf(await positions.accept(who.member, location))
  const named = await towns.find(location.town)
  const found = named ? [named] : await towns.search(location.town)
  const [only] = found
  if (!only) return refused('unknown-town')
  if (found.length > 1) return { ...refused('several-towns'), towns: found }
  return outcomeOf(await positions.setTown(who.member, only))
}

type Verdict = Awaited<ReturnType<Acting['positions']['accept']>>

function outcomeOf(verdict: Verdict): Outcome<{ moved: boolean }, PositionRefusal> {
  return verdict.ok ? done({ moved: verdict.moved }) : verdict
}

import type { LatLng } from '../../domain/shared/grid.ts'
import type { KeptLocation } from '../../services/nearby/kept.ts'
import type { Town } from '../../services/nearby/towns.ts'
import type { Acting } from '../ports.ts'

/**
 * Of a cell as the member themself sees it. `named`: the town that is the middle of it, two where it has the middle of both,
 * none where it was measured; then `near` is the nearest town, if any is.
 */
export type TownsAt = { readonly named: readonly Town[]; readonly near: Town | null }
export type OwnLocation = Omit<KeptLocation, 'cell'> & TownsAt

export async function townsAt({ towns }: Pick<Acting, 'towns'>, cell: LatLng): Promise<TownsAt> {
  const named = await towns.inCell(cell)
  return { named, near: named.length > 0 ? null : await towns.near(cell) }
}

/** What is kept of where the member is, in towns and times: no coordinates leave the services. */
export async function findLocation(acting: Acting): Promise<OwnLocation | null> {
  const found = await acting.positions.findKept(acting.who.member)
  if (!found) return null
  const { cell, ...kept } = found
  const { named, near } = await townsAt(acting, cell)
  // A position that was measured within the cell of a town that was named before may have stayed in it.
  return kept.isTown ? { ...kept, named, near } : { ...kept, named: [], near: near ?? named[0] ?? null }
}

import type { LatLng } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { MasterKey } from '../../domain/shared/master-key.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { createBox } from '../secrets.ts'
import { type Anew, accept, type Deps, findPosition, type PositionVerdict, rawOf } from './accept.ts'
import { forgetCells, forgetRaw } from './forget.ts'
import { type KeptLocation, keptOf } from './kept.ts'
import { createGridOffsets, publishDue } from './publication.ts'

/**
 * Where members were last, never in the log: others meet only the published 1 km cell, in the view `read.member_cell`
 * (security §2.1).
 */
export type Positions = {
  /** `moved`: another cell is published, or waits to be. A refused position changes nothing. */
  accept(member: MemberId, location: LatLng): Promise<PositionVerdict>
  /** A typed town, under the same rules: its cell, and no raw position. */
  setTown(member: MemberId, town: LatLng): Promise<PositionVerdict>
  /** The raw position while it is fresh, for the member's own export. */
  findRaw(member: MemberId): Promise<(LatLng & { at: Date }) | null>
  /** What is kept of the member, for their own page, without the raw position. */
  findKept(member: MemberId): Promise<KeptLocation | null>
  remove(member: MemberId): Promise<void>
  /** Publishes the cells whose delay is over. */
  publishDue(): Promise<number>
  /** Forgets raw positions past their day, whose cells stay, and cells past their month, with all that was known. */
  sweep(): Promise<number>
}

/** `gridKey`: of the members' own grids, as `gridKeyOf` makes it once for ever. */
type Options = { db: AppDb; now: Clock; masterKey: MasterKey; gridKey: Buffer; limits: Anew; off?: boolean }

/** `off` lifts how often and how fast (`RATE_LIMITS=off`, local mode only). */
export function createPositions({ db, now, masterKey, gridKey, limits, off = false }: Options): Positions {
  const box = createBox(masterKey, 'positions')
  const deps: Deps = { db, now, box, offsetOf: createGridOffsets(gridKey), limits, off }
  const find = (member: MemberId) => findPosition(db, member)

  return {
    accept: (member, location) => accept(deps, member, { location, town: false }),
    setTown: (member, location) => accept(deps, member, { location, town: true }),
    async findRaw(member) {
      const stored = await find(member)
      const raw = stored ? rawOf(deps, stored) : null
      return stored && raw ? { ...raw, at: stored.accepted_at } : null
    },
    async findKept(member) {
      const stored = await find(member)
      return stored ? keptOf(stored, now()) : null
    },
    async remove(member) {
      await db.deleteFrom('position').where('member', '=', member).execute()
    },
    publishDue: () => publishDue(deps),
    async sweep() {
      await publishDue(deps)
      return (await forgetRaw(deps)) + (await forgetCells(deps))
    },
  }
}

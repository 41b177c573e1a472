import { sql } from 'kysely'
import { hours } from '../../domain/shared/dates.ts'
import { isLatLng, type LatLng, metresBetween } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { MasterKey } from '../../domain/shared/master-key.ts'
import type { GridOffset, Publication } from '../../domain/shared/published-cell.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { isErased } from '../erased.ts'
import { type Box, createBox } from '../secrets.ts'
import { forgetCells, forgetRaw } from './forget.ts'
import {
  columnsOf,
  createGridOffsets,
  firstPublication,
  isMove,
  nextPublication,
  type PositionRow,
  publicationOf,
  publishDue,
  type Reported,
} from './publication.ts'

/** A raw position is kept no longer (security T1). */
export const POSITION_MS = hours(24)
/** api-contract §6.2, LOC */
const TWO_WITHIN_MS = 60_000
const FASTEST_KMH = 1000
/** A device may be this far off without having moved, and a town's people this far from its middle (decision 0045). */
const SLACK_M = 1000
const TOWN_SLACK_M = 20_000

/** `nowhere`: it is on no map, or nobody's, since the member was erased. */
export type PositionRefusal = 'too-often' | 'too-fast' | 'nowhere'
export type PositionVerdict = { ok: true; moved: boolean } | { ok: false; reason: PositionRefusal; retryInMs?: number }

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
  remove(member: MemberId): Promise<void>
  /** Publishes the cells whose delay is over. */
  publishDue(): Promise<number>
  /** Forgets raw positions past their day, whose cells stay, and cells past their month, with all that was known. */
  sweep(): Promise<number>
}

type Deps = { db: AppDb; now: Clock; box: Box; offsetOf: (member: MemberId) => GridOffset; off: boolean }
/** `gridKey`: of the members' own grids, as `gridKeyOf` makes it once for ever. */
type Options = { db: AppDb; now: Clock; masterKey: MasterKey; gridKey: Buffer; off?: boolean }

/** `off` lifts how often and how fast (`RATE_LIMITS=off`, local mode only). */
export function createPositions({ db, now, masterKey, gridKey, off = false }: Options): Positions {
  const deps: Deps = { db, now, box: createBox(masterKey, 'positions'), offsetOf: createGridOffsets(gridKey), off }

  return {
    accept: (member, location) => accept(deps, member, { location, town: false }),
    setTown: (member, location) => accept(deps, member, { location, town: true }),
    async findRaw(member) {
      const stored = await db.selectFrom('position').selectAll().where('member', '=', member).executeTakeFirst()
      const raw = stored ? rawOf(deps, stored) : null
      return stored && raw ? { ...raw, at: stored.accepted_at } : null
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

function rawOf(deps: Deps, stored: PositionRow): LatLng | null {
  const { box, now } = deps
  if (!stored.sealed || !stored.expires_at || stored.expires_at <= now()) return null
  const bytes = box.open(stored.member, stored.sealed)
  return { lat: bytes.readDoubleBE(0), lng: bytes.readDoubleBE(8) }
}

function seal(deps: Deps, member: MemberId, { lat, lng }: LatLng): Buffer {
  const { box } = deps
  const bytes = Buffer.alloc(16)
  bytes.writeDoubleBE(lat, 0)
  bytes.writeDoubleBE(lng, 8)
  return box.seal(member, bytes)
}

/** `town`: chosen from the list, not measured. */
type Sent = Pick<Reported, 'location' | 'town'>

const travelMs = (metres: number) => (metres / (FASTEST_KMH * 1000)) * hours(1)

/** `arrivesAt`: when the fastest would be there; null when that is not later than now. */
type Judged = { ok: true; arrivesAt: Date | null } | { ok: false; reason: 'too-often' | 'too-fast'; retryInMs: number }

/**
 * Refused when it is the third within a minute, or further than anyone travels in the time. How far it may be off is an
 * advance on the journey, paid back as time passes: whoever hops from one imprecise place to the next is no faster.
 */
function judge(deps: Deps, stored: PositionRow, { location, town }: Sent, at: Date): Judged {
  if (deps.off) return { ok: true, arrivesAt: null }
  const wait = stored.previous_at ? stored.previous_at.getTime() + TWO_WITHIN_MS - at.getTime() : 0
  if (wait > 0) return { ok: false, reason: 'too-often', retryInMs: wait }
  const raw = rawOf(deps, stored)
  const advanceMs = travelMs(town || !raw ? TOWN_SLACK_M : SLACK_M)
  const left = stored.arrives_at ?? stored.accepted_at
  const arrivesAt = left.getTime() + travelMs(metresBetween(raw ?? stored, location))
  const retryInMs = Math.ceil(arrivesAt - advanceMs - at.getTime())
  if (retryInMs > 0) return { ok: false, reason: 'too-fast', retryInMs }
  return { ok: true, arrivesAt: arrivesAt > at.getTime() ? new Date(arrivesAt) : null }
}

function rowFor(deps: Deps, member: MemberId, { location, town }: Sent, publication: Publication) {
  const at = deps.now()
  return {
    ...columnsOf(publication, at),
    sealed: town ? null : seal(deps, member, location),
    accepted_at: at,
    expires_at: town ? null : new Date(at.getTime() + POSITION_MS),
  }
}

async function accept(deps: Deps, member: MemberId, sent: Sent): Promise<PositionVerdict> {
  const { db, now, offsetOf } = deps
  const at = now()
  if (!isLatLng(sent.location)) return { ok: false, reason: 'nowhere' }
  const offset = offsetOf(member)
  const begun = firstPublication({ ...sent, measuredBefore: false }, offset)
  return db.transaction().execute(async (tx): Promise<PositionVerdict> => {
    if (await isErased(tx, member)) return { ok: false, reason: 'nowhere' }
    const { first, ...stored } = await tx
      .insertInto('position')
      .values({ member, ...rowFor(deps, member, sent, begun) })
      .onConflict((conflict) => conflict.column('member').doUpdateSet({ member }))
      .returningAll()
      // No transaction has locked a row that this one inserts; the one it met, it has locked itself.
      .returning(sql<boolean>`xmax = 0`.as('first'))
      .executeTakeFirstOrThrow()
    if (first) return { ok: true, moved: true }
    const verdict = judge(deps, stored, sent, at)
    if (!verdict.ok) return verdict
    const before = publicationOf(stored)
    const publication = nextPublication(before, { ...sent, measuredBefore: rawOf(deps, stored) !== null }, offset, at)
    await tx
      .updateTable('position')
      .set({
        ...rowFor(deps, member, sent, publication),
        previous_at: stored.accepted_at,
        arrives_at: verdict.arrivesAt,
      })
      .where('member', '=', member)
      .execute()
    return { ok: true, moved: isMove(before, publication) }
  })
}

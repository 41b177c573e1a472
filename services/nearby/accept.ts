import { sql } from 'kysely'
import { hours } from '../../domain/shared/dates.ts'
import { isLatLng, type LatLng, metresBetween } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { GridOffset, Publication } from '../../domain/shared/published-cell.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { isErased } from '../erased.ts'
import type { Limits } from '../limits/limits.ts'
import type { Box } from '../secrets.ts'
import {
  columnsOf,
  firstPublication,
  isMove,
  nextPublication,
  type PositionRow,
  publicationOf,
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

/** `nowhere`: it is on no map, or nobody's, since the member was erased; `forgot-lately`: too often in a day. */
export type PositionRefusal = 'too-often' | 'too-fast' | 'forgot-lately' | 'nowhere'
export type PositionVerdict = { ok: true; moved: boolean } | { ok: false; reason: PositionRefusal; retryInMs?: number }

export type Anew = Pick<Limits, 'take'>
export type Deps = {
  readonly db: AppDb
  readonly now: Clock
  readonly box: Box
  readonly offsetOf: (member: MemberId) => GridOffset
  /** Where nothing is kept yet. */
  readonly limits: Anew
  readonly off: boolean
}
export function rawOf(deps: Deps, stored: PositionRow): LatLng | null {
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

export const findPosition = (db: AppDb, member: MemberId) =>
  db.selectFrom('position').selectAll().where('member', '=', member).executeTakeFirst()

/**
 * Where nothing is kept there is no speed to judge, so this is limited apart: whoever could forget and set at will would
 * read distances from everywhere at once.
 */
export async function accept(deps: Deps, member: MemberId, sent: Sent): Promise<PositionVerdict> {
  if (!isLatLng(sent.location)) return { ok: false, reason: 'nowhere' }
  if (await findPosition(deps.db, member)) return (await follow(deps, member, sent)) ?? accept(deps, member, sent)
  const taken = await deps.limits.take('ANEW', member)
  return taken.ok ? begin(deps, member, sent) : { ok: false, reason: 'forgot-lately', retryInMs: taken.retryInMs }
}

/** Where none was kept. If a location has come meanwhile, from another request, this one is judged as a move from there. */
async function begin(deps: Deps, member: MemberId, sent: Sent): Promise<PositionVerdict> {
  const begun = firstPublication({ ...sent, measuredBefore: false }, deps.offsetOf(member))
  return deps.db.transaction().execute(async (tx): Promise<PositionVerdict> => {
    if (await isErased(tx, member)) return { ok: false, reason: 'nowhere' }
    const { first, ...stored } = await tx
      .insertInto('position')
      .values({ member, ...rowFor(deps, member, sent, begun) })
      .onConflict((conflict) => conflict.column('member').doUpdateSet({ member }))
      .returningAll()
      // No transaction has locked a row that this one inserts; the one it met, it has locked itself.
      .returning(sql<boolean>`xmax = 0`.as('first'))
      .executeTakeFirstOrThrow()
    return first ? { ok: true, moved: true } : move({ ...deps, db: tx }, member, { stored, sent })
  })
}

/** A location after another; null where that has been forgotten meanwhile. */
async function follow(deps: Deps, member: MemberId, sent: Sent): Promise<PositionVerdict | null> {
  return deps.db.transaction().execute(async (tx): Promise<PositionVerdict | null> => {
    if (await isErased(tx, member)) return { ok: false, reason: 'nowhere' }
    const locked = tx.selectFrom('position').selectAll().where('member', '=', member).forUpdate()
    const stored = await locked.executeTakeFirst()
    return stored ? move({ ...deps, db: tx }, member, { stored, sent }) : null
  })
}

/** `stored` is locked. */
type Move = { readonly stored: PositionRow; readonly sent: Sent }

async function move(deps: Deps, member: MemberId, { stored, sent }: Move): Promise<PositionVerdict> {
  const { db, now, offsetOf } = deps
  const at = now()
  const verdict = judge(deps, stored, sent, at)
  if (!verdict.ok) return verdict
  const before = publicationOf(stored)
  const measuredBefore = rawOf(deps, stored) !== null
  const publication = nextPublication(before, { ...sent, measuredBefore }, offsetOf(member), at)
  await db
    .updateTable('position')
    .set({
      ...rowFor(deps, member, sent, publication),
      previous_at: stored.accepted_at,
      arrives_at: verdict.arrivesAt,
    })
    .where('member', '=', member)
    .execute()
  return { ok: true, moved: isMove(before, publication) }
}

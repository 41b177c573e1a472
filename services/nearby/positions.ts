import type { Selectable } from 'kysely'
import { hours } from '../../domain/shared/dates.ts'
import { cellAt, DISCOVER_CELL_M, isLatLng, type LatLng, metresBetween } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { AppDb } from '../app-db.ts'
import type { AppSchema } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { type Box, createBox } from '../secrets.ts'

/** A raw position is kept no longer (security T1). */
export const POSITION_MS = hours(24)
/** api-contract §6.2, LOC */
const TWO_WITHIN_MS = 60_000
const FASTEST_KMH = 1000
/** A device may be this far off without having moved, and a town's people this far from its middle. */
const SLACK_M = 1000
const TOWN_SLACK_M = 50_000

export type PositionRefusal = 'too-often' | 'too-fast' | 'nowhere'
export type PositionVerdict = { ok: true; moved: boolean } | { ok: false; reason: PositionRefusal; retryInMs?: number }

/** Where members were last, never in the log: others meet only the 1 km cell, in the view `read.member_cell`. */
export type Positions = {
  /** `moved`: the cell is another one. A refused position changes nothing. */
  accept(member: MemberId, place: LatLng): Promise<PositionVerdict>
  /** A typed town, under the same rules: its cell, and no raw position. */
  setPlace(member: MemberId, town: LatLng): Promise<PositionVerdict>
  /** The raw position while it is fresh, for the member's own export. */
  findRaw(member: MemberId): Promise<(LatLng & { at: Date }) | null>
  remove(member: MemberId): Promise<void>
  /** Forgets raw positions past their day; their cells stay. */
  sweep(): Promise<number>
}

type Held = Selectable<AppSchema['position']>

type Deps = { db: AppDb; now: Clock; box: Box; off: boolean }
type Options = { db: AppDb; now: Clock; masterKey: Buffer; off?: boolean }

/** `off` lifts how often and how fast (`RATE_LIMITS=off`, local mode only). */
export function createPositions({ db, now, masterKey, off = false }: Options): Positions {
  const deps: Deps = { db, now, box: createBox(masterKey, 'positions'), off }

  return {
    accept: (member, place) => accept(deps, member, { place, town: false }),
    setPlace: (member, place) => accept(deps, member, { place, town: true }),
    async findRaw(member) {
      const held = await db.selectFrom('position').selectAll().where('member', '=', member).executeTakeFirst()
      const raw = held ? rawOf(deps, held) : null
      return held && raw ? { ...raw, at: held.accepted_at } : null
    },
    async remove(member) {
      await db.deleteFrom('position').where('member', '=', member).execute()
    },
    async sweep() {
      const { numUpdatedRows } = await db
        .updateTable('position')
        .set({ sealed: null })
        .where('sealed', 'is not', null)
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}

function rawOf(deps: Deps, held: Held): LatLng | null {
  const { box, now } = deps
  if (!held.sealed || !held.expires_at || held.expires_at <= now()) return null
  const bytes = box.open(held.member, held.sealed)
  return { lat: bytes.readDoubleBE(0), lng: bytes.readDoubleBE(8) }
}

function seal(deps: Deps, member: MemberId, { lat, lng }: LatLng): Buffer {
  const { box } = deps
  const bytes = Buffer.alloc(16)
  bytes.writeDoubleBE(lat, 0)
  bytes.writeDoubleBE(lng, 8)
  return box.seal(member, bytes)
}

/** `town`: said, not measured. */
type Told = { place: LatLng; town: boolean }

/** Refused when it is the third within a minute, or further than anyone travels in the time. */
function judge(deps: Deps, held: Held, { place, town }: Told, at: Date): PositionVerdict {
  if (deps.off) return { ok: true, moved: true }
  const wait = held.previous_at ? held.previous_at.getTime() + TWO_WITHIN_MS - at.getTime() : 0
  if (wait > 0) return { ok: false, reason: 'too-often', retryInMs: wait }
  const raw = rawOf(deps, held)
  const slackM = town || !raw ? TOWN_SLACK_M : SLACK_M
  const elapsedMs = at.getTime() - held.accepted_at.getTime()
  const metres = metresBetween(raw ?? held, place)
  if (metres <= slackM + (elapsedMs / hours(1)) * FASTEST_KMH * 1000) return { ok: true, moved: true }
  const retryInMs = Math.ceil(((metres - slackM) / (FASTEST_KMH * 1000)) * hours(1) - elapsedMs)
  return { ok: false, reason: 'too-fast', retryInMs }
}

function rowFor(deps: Deps, member: MemberId, { place, town }: Told, at: Date) {
  const cell = cellAt(place, DISCOVER_CELL_M)
  return {
    cell_row: cell.row,
    cell_col: cell.col,
    lat: cell.lat,
    lng: cell.lng,
    sealed: town ? null : seal(deps, member, place),
    accepted_at: at,
    expires_at: town ? null : new Date(at.getTime() + POSITION_MS),
  }
}

async function accept(deps: Deps, member: MemberId, told: Told): Promise<PositionVerdict> {
  const { db, now } = deps
  const at = now()
  if (!isLatLng(told.place)) return { ok: false, reason: 'nowhere' }
  const row = rowFor(deps, member, told, at)
  return db.transaction().execute(async (tx): Promise<PositionVerdict> => {
    const first = await tx
      .insertInto('position')
      .values({ member, ...row })
      .onConflict((conflict) => conflict.doNothing())
      .returning('member')
      .executeTakeFirst()
    if (first) return { ok: true, moved: true }
    const held = await tx
      .selectFrom('position')
      .selectAll()
      .where('member', '=', member)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const verdict = judge(deps, held, told, at)
    if (!verdict.ok) return verdict
    await tx
      .updateTable('position')
      .set({ ...row, previous_at: held.accepted_at })
      .where('member', '=', member)
      .execute()
    return { ok: true, moved: held.cell_row !== row.cell_row || held.cell_col !== row.cell_col }
  })
}

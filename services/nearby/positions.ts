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
/** A device may be this far off without having moved. */
const SLACK_M = 1000

export type PositionRefusal = 'too-often' | 'too-fast' | 'nowhere'
export type PositionVerdict = { ok: true; moved: boolean } | { ok: false; reason: PositionRefusal; retryInMs?: number }

/** Where members were last, never in the log: others meet only the 1 km cell, in the view `read.member_cell`. */
export type Positions = {
  /** `moved`: the cell is another one. A refused position changes nothing. */
  accept(member: MemberId, place: LatLng): Promise<PositionVerdict>
  /** A typed town: its cell, and no raw position. */
  setPlace(member: MemberId, town: LatLng): Promise<void>
  /** The raw position while it is fresh, for the member's own export. */
  findRaw(member: MemberId): Promise<(LatLng & { at: Date }) | null>
  remove(member: MemberId): Promise<void>
  /** Forgets raw positions past their day; their cells stay. */
  sweep(): Promise<number>
}

type Held = Selectable<AppSchema['position']>

type Deps = { db: AppDb; now: Clock; box: Box }

export function createPositions({ db, now, masterKey }: { db: AppDb; now: Clock; masterKey: Buffer }): Positions {
  const deps: Deps = { db, now, box: createBox(masterKey, 'positions') }

  return {
    accept: (member, place) => accept(deps, member, place),
    async setPlace(member, town) {
      const cell = cellAt(town, DISCOVER_CELL_M)
      const row = {
        cell_row: cell.row,
        cell_col: cell.col,
        lat: cell.lat,
        lng: cell.lng,
        sealed: null,
        accepted_at: now(),
        previous_at: null,
        expires_at: null,
      }
      await db
        .insertInto('position')
        .values({ member, ...row })
        .onConflict((conflict) =>
          conflict.column('member').doUpdateSet((set) => ({ ...row, previous_at: set.ref('position.accepted_at') })),
        )
        .execute()
    },
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

/** Refused when it is the third within a minute, or further than anyone travels in the time. */
function judge(deps: Deps, held: Held, place: LatLng, at: Date): PositionVerdict {
  const wait = held.previous_at ? held.previous_at.getTime() + TWO_WITHIN_MS - at.getTime() : 0
  if (wait > 0) return { ok: false, reason: 'too-often', retryInMs: wait }
  const from = rawOf(deps, held)
  const elapsedMs = at.getTime() - held.accepted_at.getTime()
  if (!from) return { ok: true, moved: true }
  const allowedM = SLACK_M + (elapsedMs / hours(1)) * FASTEST_KMH * 1000
  const metres = metresBetween(from, place)
  if (metres <= allowedM) return { ok: true, moved: true }
  const retryInMs = Math.ceil(((metres - SLACK_M) / (FASTEST_KMH * 1000)) * hours(1) - elapsedMs)
  return { ok: false, reason: 'too-fast', retryInMs }
}

async function accept(deps: Deps, member: MemberId, place: LatLng): Promise<PositionVerdict> {
  const { db, now } = deps
  const at = now()
  if (!isLatLng(place)) return { ok: false, reason: 'nowhere' }
  const cell = cellAt(place, DISCOVER_CELL_M)
  const row = {
    cell_row: cell.row,
    cell_col: cell.col,
    lat: cell.lat,
    lng: cell.lng,
    sealed: seal(deps, member, place),
    accepted_at: at,
    expires_at: new Date(at.getTime() + POSITION_MS),
  }
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
    const verdict = judge(deps, held, place, at)
    if (!verdict.ok) return verdict
    await tx
      .updateTable('position')
      .set({ ...row, previous_at: held.accepted_at })
      .where('member', '=', member)
      .execute()
    return { ok: true, moved: held.cell_row !== cell.row || held.cell_col !== cell.col }
  })
}

import { createHmac, randomInt } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Cell, cellAt, DISCOVER_CELL_M, type LatLng } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import {
  afterPosition,
  CELL_DELAY_MS,
  cellKept,
  type GridOffset,
  gridOffset,
  isSameCell,
  onOwnGrid,
  type Publication,
  publishedBy,
} from '../../domain/shared/published-cell.ts'
import type { AppDb } from '../app-db.ts'
import type { AppSchema } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { deriveKey } from '../secrets.ts'

export type PositionRow = Selectable<AppSchema['position']>
type CellColumns = Pick<
  PositionRow,
  `cell_${'row' | 'col'}` | `next_${'row' | 'col' | 'lat' | 'lng' | 'at' | 'from'}` | keyof LatLng
>
/** A measured position or a town, and whether a measured one is known from before. */
export type Reported = { readonly location: LatLng; readonly town: boolean; readonly measuredBefore: boolean }

/** How often cells are looked for whose delay is over. */
export const PUBLISH_EVERY_MS = 5_000
const UINT32 = 2 ** 32

/**
 * The key of the members' own grids. It stays when the master key changes: of grids that moved, whoever saw a member in
 * both would know the place better.
 */
export const gridKeyOf = (masterKey: Uint8Array): Buffer => deriveKey(masterKey, 'grid offsets')

/** Where each member's own grid lies: the same for ever, and known to none without the key (security §2.1). */
export function createGridOffsets(key: Buffer): (member: MemberId) => GridOffset {
  return (member) => {
    const bytes = createHmac('sha256', key).update(member, 'utf8').digest()
    return gridOffset(bytes.readUInt32BE(0) / UINT32, bytes.readUInt32BE(4) / UINT32)
  }
}

/** The first that is known of a member is published at once: nothing was there that it could be compared with. */
export function firstPublication({ location, town }: Reported, offset: GridOffset): Publication {
  return { cell: cellAt(town ? location : onOwnGrid(location, offset), DISCOVER_CELL_M), next: null }
}

/**
 * A move between two measured positions shows after the margin and the delay. A town that a member names shows at once
 * and on the common grid, since everybody knows where it is; what is measured after a town, or after a day without a
 * position, is no move that could be timed.
 */
export function nextPublication(before: Publication, reported: Reported, offset: GridOffset, now: Date): Publication {
  const { location, town, measuredBefore } = reported
  if (town) return firstPublication(reported, offset)
  const at = onOwnGrid(location, offset)
  if (!measuredBefore) return { cell: cellKept(publishedBy(before, now).cell, at), next: null }
  return afterPosition(before, at, { now, delayMs: randomInt(CELL_DELAY_MS.least, CELL_DELAY_MS.most + 1) })
}

/** In the cell that others see, or will see, first. */
export const isMove = (before: Publication, after: Publication): boolean =>
  !isSameCell((before.next ?? before).cell, (after.next ?? after).cell)

/** A next cell that is not of the last position is none: the release before publishes positions without looking at it. */
export function publicationOf(row: CellColumns & Pick<PositionRow, 'accepted_at'>): Publication {
  const { next_row, next_col, next_lat, next_lng, next_at } = row
  const cell: Cell = { row: row.cell_row, col: row.cell_col, lat: row.lat, lng: row.lng }
  if (row.next_from?.getTime() !== row.accepted_at.getTime()) return { cell, next: null }
  if (next_row === null || next_col === null || next_lat === null || next_lng === null || !next_at)
    return { cell, next: null }
  return { cell, next: { cell: { row: next_row, col: next_col, lat: next_lat, lng: next_lng }, dueAt: next_at } }
}

/** Of a position that was accepted then. */
export function columnsOf({ cell, next }: Publication, acceptedAt: Date): CellColumns {
  return {
    cell_row: cell.row,
    cell_col: cell.col,
    lat: cell.lat,
    lng: cell.lng,
    next_row: next?.cell.row ?? null,
    next_col: next?.cell.col ?? null,
    next_lat: next?.cell.lat ?? null,
    next_lng: next?.cell.lng ?? null,
    next_at: next?.dueAt ?? null,
    next_from: next ? acceptedAt : null,
  }
}

const NO_NEXT = { next_row: null, next_col: null, next_lat: null, next_lng: null, next_at: null, next_from: null }
const OF_LAST_POSITION = sql<boolean>`next_from is not distinct from accepted_at`

/** Publishes every cell that is due; answers how many. A row that is being written is left to the next time. */
export async function publishDue({ db, now }: { db: AppDb; now: Clock }): Promise<number> {
  await forgetOutdated(db)
  const due = db
    .selectFrom('position')
    .select('member')
    .where('next_at', '<=', now())
    .where(OF_LAST_POSITION)
    .orderBy('member')
    .forUpdate()
    .skipLocked()
  const { numUpdatedRows } = await db
    .updateTable('position')
    .set({ cell_row: sql`next_row`, cell_col: sql`next_col`, lat: sql`next_lat`, lng: sql`next_lng`, ...NO_NEXT })
    .where('member', 'in', due)
    .where('next_at', '<=', now())
    .where(OF_LAST_POSITION)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Next cells that are not of the last position. */
async function forgetOutdated(db: AppDb): Promise<void> {
  const outdated = db
    .selectFrom('position')
    .select('member')
    .where('next_at', 'is not', null)
    .where((where) => where.not(OF_LAST_POSITION))
    .orderBy('member')
    .forUpdate()
    .skipLocked()
  await db
    .updateTable('position')
    .set(NO_NEXT)
    .where('member', 'in', outdated)
    .where((where) => where.not(OF_LAST_POSITION))
    .execute()
}

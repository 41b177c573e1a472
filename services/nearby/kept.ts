import type { LatLng } from '../../domain/shared/grid.ts'
import { CELL_MS } from './forget.ts'
import { type PositionRow, publicationOf } from './publication.ts'

/** What is kept of where a member is, and until when, unless a new position or town comes. */
export type KeptLocation = {
  /** The centre of the cell that distances come from, or will once its delay is over. */
  readonly cell: LatLng
  /** Distances still come from the cell before. */
  readonly isMoving: boolean
  /** It was named, not measured: of a town no raw position is kept. */
  readonly isTown: boolean
  /** Of the raw position; null where none is left. */
  readonly positionUntil: Date | null
  readonly cellUntil: Date
}

export function keptOf(row: PositionRow, now: Date): KeptLocation {
  const { sealed, expires_at, accepted_at } = row
  const { cell, next } = publicationOf(row)
  const { lat, lng } = next?.cell ?? cell
  return {
    cell: { lat, lng },
    isMoving: next !== null,
    isTown: expires_at === null,
    positionUntil: sealed && expires_at && expires_at > now ? expires_at : null,
    cellUntil: new Date(accepted_at.getTime() + CELL_MS),
  }
}

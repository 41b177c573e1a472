import { type Notification, wordsOf } from '../../../projections/notifications/queries.ts'
import type { Face } from '../../../projections/view/cards.ts'

export type Row = Notification & Face

/**
 * The rows with the faces that the member may see at this moment. Whoever is a match by then has a row that states so, whichever
 * of the two read models was first.
 */
export function rowsWith(faces: ReadonlyMap<string, Face>, rows: readonly Notification[]): Row[] {
  return rows.flatMap(({ subtype, ...row }): Row[] => {
    const face = faces.get(row.fromId)
    if (!face) return []
    if (row.type !== 'buzz' || !face.matched) return [{ ...row, ...(subtype && { subtype }), ...face }]
    const match = { type: 'match', subtype: null } as const
    return [{ ...row, ...face, type: match.type, message: wordsOf(match, face.firstName) }]
  })
}

import { type Notification, wordsOf } from '../../../projections/notifications/queries.ts'
import type { Face } from '../../../projections/view/cards.ts'

/** `begun`: the two have written to each other. */
export type Row = Notification & Face & { readonly begun: boolean }

/**
 * The rows with the faces that the member may see at this moment. Whoever is a match by then has a row that states so, whichever
 * of the two read models was first.
 */
export function rowsWith(
  faces: ReadonlyMap<string, Face>,
  begunWith: ReadonlySet<string>,
  notifications: readonly Notification[],
): Row[] {
  return notifications.flatMap(({ subtype, ...stored }): Row[] => {
    const face = faces.get(stored.fromId)
    if (!face) return []
    const row = { ...stored, begun: begunWith.has(stored.fromId) }
    if (row.type !== 'buzz' || !face.matched) return [{ ...row, ...(subtype && { subtype }), ...face }]
    const match = { type: 'match', subtype: null } as const
    return [{ ...row, ...face, type: match.type, message: wordsOf(match, face.firstName) }]
  })
}

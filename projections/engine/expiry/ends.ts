import type { Position } from '../../../domain/shared/recorded.ts'
import type { Projection } from '../../projection.ts'
import { readable } from '../apply.ts'
import type { Decoded } from '../decoding.ts'
import { changesOf } from '../fold.ts'
import { hasExpiry } from './clock.ts'

/** An event that makes a row which ends. */
export type End = { readonly position: Position; readonly end: Date }

/** Of an event that cannot be looked at: any row of it may have ended. */
const LONG_AGO = new Date(0)

/** The ends of rows that these events make where there is none. */
export function endsOf(projection: Projection, events: readonly Decoded[]): End[] {
  if (!hasExpiry(projection)) return []
  return events.flatMap((one) => endsBy(projection, one).map((end) => ({ position: one.stored.position, end })))
}

function endsBy(projection: Projection, event: Decoded): Date[] {
  try {
    const ends = changesOf(projection, [readable(event)]).map((change) => {
      const made = 'key' in change ? change.fold(undefined) : change.set
      const { expires } = change.table
      return expires && (made as Readonly<Record<string, unknown>> | undefined | null)?.[expires]
    })
    return ends.filter((end) => end instanceof Date)
  } catch {
    return [LONG_AGO]
  }
}

/** All rows of these events are like those of one that cannot be looked at. */
export const unknownEnd = (position: Position): End => ({ position, end: LONG_AGO })

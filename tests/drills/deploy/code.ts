import type { EventType, RecordedEvent } from '../../../domain/all-events.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import type { AnyTable, Change, Projection } from '../../../projections/projection.ts'
import { line, lines } from '../../support/toy-projections.ts'
import { drilled } from '../projector-load.ts'

type Handler = (event: RecordedEvent) => readonly Change[]

const markOf = (release: number) => `0bad${String(release).padStart(4, '0')}`

/** The id of an event that this release's code cannot take, and the next one can. */
export const poisonId = (release: number, ...parts: string[]): string =>
  `${markOf(release)}${uuidFrom('poison', release, ...parts).slice(8)}`

export const isPoison = (release: number, id: string): boolean => id.startsWith(markOf(release))

/**
 * The read models as a release of the code has them, from 1. Each release makes tables of its own version, those of `lines` of another
 * shape, fails at its own poison, and takes that of the releases before.
 */
export function codeOf(release: number): readonly Projection[] {
  return drilled.map((one) => {
    const shaped = one === lines && release > 1 ? linesOf(release) : one
    return { ...shaped, version: one.version + release - 1, when: handlersOf(shaped, failing(release)) }
  })
}

const failing = (release: number) => (handler: Handler) => (event: RecordedEvent) => {
  if (isPoison(release, event.id)) throw new Error('not by this release')
  return handler(event)
}

/** With the release that wrote a row. */
function linesOf(release: number): Projection {
  const table: AnyTable = { ...line, columns: { ...line.columns, release: 'integer not null' } } as never
  const written = (change: Change): Change => {
    if (!('key' in change)) return { ...change, table }
    const fold = (row: object | undefined) => {
      const next = change.fold(row)
      return next && { ...next, release }
    }
    return { ...change, table, fold }
  }
  return { ...lines, tables: [table], when: handlersOf(lines, (handler) => (event) => handler(event).map(written)) }
}

function handlersOf({ when }: Projection, wrap: (handler: Handler) => Handler): Projection['when'] {
  return Object.fromEntries(
    Object.entries(when).map(([type, handler]) => [type as EventType, wrap(handler as Handler)]),
  ) as Projection['when']
}

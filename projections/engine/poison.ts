import { basename } from 'node:path'
import pg from 'pg'
import { TooNewEvent, UndecodableEvent } from '../../eventstore/codec.ts'

/** A handler or fold threw on this batch, as it will again. */
export class FoldFailed extends Error {
  override name = 'FoldFailed'
}

/** Data the database will never take: one row twice, wrong values, broken constraints, beyond its limits. */
const OF_DATA = new Set(['21', '22', '23', '54'])

/**
 * True when an event of the batch is to blame and trying again cannot help. A lost connection is not poison, nor is an event of
 * a later release: it is this code that cannot help.
 */
export function isPoison(error: unknown): boolean {
  if (error instanceof TooNewEvent) return false
  if (error instanceof FoldFailed || error instanceof UndecodableEvent) return true
  return error instanceof pg.DatabaseError && OF_DATA.has(error.code?.slice(0, 2) ?? '')
}

/** Why, in words without data of the event: an error's own message might. */
export function reasonOf(error: unknown): string {
  if (error instanceof TooNewEvent) return `this release is too old: ${error.message}`
  if (error instanceof UndecodableEvent) return error.message
  if (error instanceof FoldFailed) return `its handler failed: ${placeOf(error.cause)}`
  if (error instanceof pg.DatabaseError) {
    const { code, schema, table, column, constraint } = error
    const where = [schema, table, column, constraint].filter(Boolean).join('.')
    return `Postgres refused the row: ${code}${where && ` at ${where}`}`
  }
  return placeOf(error)
}

function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error was thrown'
  if (error.name === 'MisfitRow') return error.message
  const [, file] = /at .*?\(?([^()\s]+:\d+):\d+\)?$/m.exec(error.stack ?? '') ?? []
  return file ? `${error.name} at ${basename(file)}` : error.name
}

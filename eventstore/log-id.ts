import { randomUUID } from 'node:crypto'
import { type EventStoreDBClient, WrongExpectedVersionError } from '@eventstore/db-client'

/** Has metadata alone, which no scavenge removes. */
const STREAM = 'letsbuzz'

/**
 * The id of a log, which it keeps whatever is deleted from it. `first`: the id of its first event, by which logs were known that
 * have no id of their own; null for an empty one.
 */
export async function logIdOf(client: EventStoreDBClient, first: () => Promise<string | null>): Promise<string> {
  const known = await storedId(client)
  if (known) return known
  const logId = (await first()) ?? randomUUID()
  try {
    await client.setStreamMetadata(STREAM, { logId }, { expectedRevision: 'no_stream' })
    return logId
  } catch (error) {
    // Another process gave it one at this moment.
    const theirs = error instanceof WrongExpectedVersionError && (await storedId(client))
    if (theirs) return theirs
    throw error
  }
}

async function storedId(client: EventStoreDBClient): Promise<string | null> {
  const { metadata } = await client.getStreamMetadata<{ logId?: unknown }>(STREAM)
  return typeof metadata?.logId === 'string' ? metadata.logId : null
}

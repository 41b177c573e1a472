import { randomUUID } from 'node:crypto'
import { type AllStreamRecordedEvent, type EventStoreDBClient, WrongExpectedVersionError } from '@eventstore/db-client'

/** Has metadata alone, which no scavenge removes. */
const STREAM = 'letsbuzz'

type Asking = {
  /** The last event of a stream; null when there is none. */
  readonly last: (stream: string) => Promise<AllStreamRecordedEvent | null | 'ended'>
  /** The id of the log's first event, by which logs were known that have no id of their own; null for an empty one. */
  readonly first: () => Promise<string | null>
}

/** The id of a log, which it keeps whatever is deleted from it. Whoever asks first gives it one. */
export async function logIdOf(client: EventStoreDBClient, { last, first }: Asking): Promise<string> {
  const known = await storedId(last)
  if (known) return known
  const logId = (await first()) ?? randomUUID()
  try {
    await client.setStreamMetadata(STREAM, { logId }, { expectedRevision: 'no_stream' })
    return logId
  } catch (error) {
    // Another process gave it one at this moment.
    const theirs = error instanceof WrongExpectedVersionError && (await storedId(last))
    if (theirs) return theirs
    throw error
  }
}

async function storedId(last: Asking['last']): Promise<string | null> {
  const found = await last(`$$${STREAM}`)
  const { logId } = ((found !== 'ended' && found?.data) || {}) as { logId?: unknown }
  return typeof logId === 'string' ? logId : null
}

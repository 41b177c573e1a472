import { randomUUID } from 'node:crypto'
import { ANY, type AppendResult, type EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'

const ANSWER_MS = 5_000
const RETRY_MS = 25

/** What was acknowledged to an appender is in the log, in its order, and what it may have sent without an answer. */
export type Load = { stream: string; acknowledged: string[] }

/**
 * Appends without a pause until stopped, each append sent again with the same ids until it is answered. Every fourth
 * appender expects no revision, so that only the server's memory of ids keeps its repeats out.
 */
export async function appendUntil(stopped: () => boolean, client: EventStoreDBClient, number: number): Promise<Load> {
  const load: Load = { stream: `drill-${randomUUID()}`, acknowledged: [] }
  let revision: bigint | 'no_stream' = NO_STREAM
  for (let turn = 0; !stopped(); turn++) {
    const ids = Array.from({ length: 1 + (turn % 3) }, () => randomUUID())
    const events = ids.map((id) => jsonEvent({ id, type: 'Drilled', data: { turn, filler: 'x'.repeat(200) } }))
    const expectedRevision: bigint | 'no_stream' | 'any' = number % 4 === 3 ? ANY : revision
    const append = (): Promise<AppendResult> => client.appendToStream(load.stream, events, { expectedRevision })
    revision = (await untilAnswered(append)).nextExpectedRevision
    load.acknowledged.push(...ids)
  }
  return load
}

/** A killed server answers nothing or an error; both leave the outcome open. A wrong revision is a fault of the log. */
async function untilAnswered<T>(append: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await within(ANSWER_MS, append())
    } catch (error) {
      if ((error as { type?: string }).type === 'wrong-expected-version') throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

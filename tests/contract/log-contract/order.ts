import { type EventStoreDBClient, NO_STREAM, streamNameFilter } from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { all, newStream, note, take } from '../log-target.ts'

const WRITERS = 16
const APPENDS = 25

type Append = { stream: string; begun: number; ended: number; position: bigint }

/** Each writer appends one to three events at a time to a stream of its own, one after the other. */
async function write(client: EventStoreDBClient, stream: string, clock: { now: number }): Promise<Append[]> {
  const appends: Append[] = []
  let expectedRevision: bigint | 'no_stream' = NO_STREAM
  for (let turn = 0; turn < APPENDS; turn++) {
    const events = Array.from({ length: 1 + (turn % 3) }, () => note('Written', stream))
    const begun = clock.now++
    const answer: { nextExpectedRevision: bigint; position?: { commit: bigint } } = await client.appendToStream(
      stream,
      events,
      { expectedRevision },
    )
    appends.push({ stream, begun, ended: clock.now++, position: answer.position!.commit })
    expectedRevision = answer.nextExpectedRevision
  }
  return appends
}

export function orderContract(client: () => EventStoreDBClient): void {
  test('sixteen writers make one order: positions rise, revisions have no gaps, later appends stand later', async () => {
    const category = newStream('order').replaceAll('-', '')
    const streams = Array.from({ length: WRITERS }, (_, i) => `${category}-${i}`)
    const expected = WRITERS * Array.from({ length: APPENDS }, (_, turn) => 1 + (turn % 3)).reduce((a, b) => a + b)
    const live = take(expected, client().subscribeToAll({ filter: streamNameFilter({ prefixes: [category] }) }))
    const clock = { now: 0 }
    const appends = (await Promise.all(streams.map((stream) => write(client(), stream, clock)))).flat()

    const log = (await all(client().readAll())).filter(({ streamId }) => streamId.startsWith(category))
    expect(log).toHaveLength(expected)
    const positions = log.map((event) => event.position!.commit)
    expect(positions.every((position, index) => index === 0 || position > positions[index - 1]!)).toBe(true)
    for (const stream of streams) {
      const revisions = log.filter(({ streamId }) => streamId === stream).map(({ revision }) => Number(revision))
      expect(revisions).toEqual(revisions.map((_, index) => index))
    }
    const overtaken = appends.filter((later) =>
      appends.some((earlier) => earlier.ended < later.begun && earlier.position >= later.position),
    )
    expect(overtaken).toEqual([])
    expect((await live).map(({ id }) => id)).toEqual(log.map(({ id }) => id))
  })
}

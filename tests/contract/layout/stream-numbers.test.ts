import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PostgresStorage } from '../../../eventstore/embedded/storage/postgres-storage.ts'
import { all, type EmbeddedTarget, newStream, note, openEmbedded, REAL_LOG } from '../log-target.ts'

const REMEMBERED = 3
const STREAMS = 40
const ROWS_PER_STATEMENT = 64
let target: EmbeddedTarget
let position = 0

const storageOn = ({ database }: EmbeddedTarget) => {
  const settings = { database: database.config, logLine: () => undefined, lockWaitMs: 5_000 }
  return new PostgresStorage({ ...settings, tables: { span: 50, remembered: REMEMBERED } })
}

const event = (stream: string, revision: number) => {
  const data = Buffer.alloc(0)
  position++
  return { position, stream, revision, id: randomUUID(), type: 'Noted', json: true, created: 0, data, metadata: data }
}

/** Events whose number is not that of their stream. */
const MISNUMBERED = `select count(*)::int as events from log.event e
  where not exists (select from log.stream s where s.id = e.stream_id and s.name = e.stream and s.born <= e.position)`

describe.skipIf(REAL_LOG)('a log that remembers the numbers of few streams', () => {
  beforeEach(async () => {
    position = 0
    target = await openEmbedded({ tables: { span: 50, remembered: REMEMBERED } })
  })
  afterEach(() => target.close())

  test('gives each of many streams one number, whatever it forgets within a group of appends', async () => {
    const run = randomUUID()
    const names = Array.from({ length: STREAMS }, (_, at) => newStream(`numbered-${at}-${run}`))
    for (let round = 0; round < 6; round++) {
      // Known streams stand before new ones and after them, so that what the group learns displaces them.
      const old = names.slice(0, (STREAMS / 8) * round)
      const fresh = Array.from({ length: 9 }, () => newStream(`fresh-${run}`))
      const group = [...old, ...fresh, ...old.toReversed(), ...names]
      await Promise.all(group.map((stream) => target.client.appendToStream(stream, note('Noted'))))
      const again = fresh.map((stream) => target.client.appendToStream(stream, note('Next'), { expectedRevision: 0n }))
      await Promise.all(again)
    }
    const { rows } = await target.database.run(MISNUMBERED)
    expect(rows[0].events).toBe(0)
    for (const stream of names) {
      const revisions = (await all(target.client.readStream(stream))).map(({ revision }) => Number(revision))
      expect(revisions).toEqual(revisions.map((_, at) => at))
      expect(revisions.length).toBeGreaterThan(5)
    }
  })

  test('keeps the number of a stream whose events stand at both ends of a group, known before it or begun in it', async () => {
    await target.server().stop()
    const storage = storageOn(target)
    await storage.open()
    await storage.commit([event('old', 0)])
    const between = (round: string) =>
      Array.from({ length: 2 * ROWS_PER_STATEMENT }, (_, at) => event(`${round}-${at}`, 0))
    await storage.commit([event('old', 1), event('new', 0), ...between('a'), event('old', 2), event('new', 1)])
    await storage.summarise(['old', 'unheard', ...between('b').map(({ stream }) => stream)])
    await storage.commit([...between('b'), event('old', 3), event('new', 2)])
    for (const [stream, last] of [
      ['old', 3],
      ['new', 2],
    ] as const) {
      const { events } = await storage.readStream(stream, { from: 0, backwards: false, limit: 10 })
      expect(events.map(({ revision }) => revision)).toEqual(Array.from({ length: last + 1 }, (_, at) => at))
    }
    await storage.close()
  })
})

import {
  type AppendResult,
  BACKWARDS,
  END,
  jsonEvent,
  type Position,
  START,
  StreamDeletedError,
} from '@eventstore/db-client'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ScavengeOptions, ScavengeRunningError, scavenge } from '../../eventstore/embedded/storage/scavenge.ts'
import { until } from '../support/until.ts'
import {
  all,
  asError,
  type EmbeddedTarget,
  newStream,
  note,
  notes,
  openEmbedded,
  REAL_LOG,
  take,
} from './log-target.ts'

const client = () => target.client
let target: EmbeddedTarget

const run = (options: Partial<ScavengeOptions> = {}) => scavenge({ database: target.database.config, ...options })

/** `revision` of each stored event of a stream, seen in the storage itself. */
async function stored(stream: string): Promise<number[]> {
  const text = 'select revision from log.event where stream = $1 order by revision'
  return (await target.database.run(text, [stream])).rows.map(({ revision }) => Number(revision))
}

/** What hides events, the revisions that the storage then keeps of six, and those a reader sees. */
const HIDING: [string, (stream: string) => Promise<unknown>, number[], number[]][] = [
  ['nothing', async () => {}, [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]],
  ['maxCount', (stream) => client().setStreamMetadata(stream, { maxCount: 2 }), [4, 5], [4, 5]],
  ['truncateBefore', (stream) => client().setStreamMetadata(stream, { truncateBefore: 3 }), [3, 4, 5], [3, 4, 5]],
  ['truncation of everything', (stream) => client().setStreamMetadata(stream, { truncateBefore: 6 }), [5], []],
  ['maxAge', (stream) => age(stream).then(() => client().setStreamMetadata(stream, { maxAge: 60 })), [5], []],
  ['deletion', (stream) => client().deleteStream(stream), [5], []],
  [
    'metadata after a deletion',
    (stream) =>
      client()
        .deleteStream(stream)
        .then(() => client().setStreamMetadata(stream, { maxCount: 50 })),
    [5],
    [],
  ],
  ['tombstone', (stream) => client().tombstoneStream(stream), [Number.MAX_SAFE_INTEGER], []],
  [
    'a new beginning',
    (stream) =>
      client()
        .deleteStream(stream)
        .then(() => client().appendToStream(stream, note('Again'))),
    [6],
    [6],
  ],
]

const age = (stream: string) => target.database.run('update log.event set created = 1 where stream = $1', [stream])

describe.skipIf(REAL_LOG)('a scavenge of the embedded log', () => {
  beforeEach(async () => {
    target = await openEmbedded()
  })
  afterEach(() => target.close())

  test.each(HIDING)(
    'after %s takes what nobody sees, and readers see what they saw',
    async (_name, hide, kept, seen) => {
      const stream = newStream()
      await client().appendToStream(stream, notes(6))
      await hide(stream)
      const reading = () => all(client().readStream(stream)).catch(() => [])
      const [before, there] = [await reading(), (await stored(stream)).length]
      const taken = await run()
      expect(await stored(stream)).toEqual(kept)
      expect(taken).toMatchObject({ events: expect.any(Number), streams: there > kept.length ? expect.any(Number) : 0 })
      const after = await reading()
      expect(after.map(({ revision }) => Number(revision))).toEqual(seen)
      expect(after).toEqual(before)
      await target.restart()
      await until('the new server answers', () => all(client().readAll({ maxCount: 1 })).catch(() => false))
      expect(await reading()).toEqual(before)
    },
  )

  test('keeps the newest metadata of a stream alone, and none of a stream that has ended', async () => {
    const [alive, ended] = [newStream(), newStream()]
    for (const stream of [alive, ended])
      for (const maxCount of [9, 8, 7]) await client().setStreamMetadata(stream, { maxCount })
    await client().tombstoneStream(ended)
    await run()
    expect([await stored(`$$${alive}`), await stored(`$$${ended}`)]).toEqual([[2], []])
    expect((await client().getStreamMetadata(alive)).metadata).toEqual({ maxCount: 7 })
    expect(await client().getStreamMetadata(ended).catch(asError)).toBeInstanceOf(StreamDeletedError)
  })

  test('leaves gaps over which everybody reads: forwards, backwards, from any position, and following', async () => {
    const [lasting, passing] = [newStream('lasting'), newStream('passing')]
    const positions: Position[] = []
    for (let round = 0; round < 5; round++) {
      await client().appendToStream(passing, notes(3))
      positions.push((await client().appendToStream(lasting, note('Lasting'))).position!)
    }
    await client().deleteStream(passing)
    await run()
    await target.restart()
    await until('the new server answers', () => all(client().readAll({ maxCount: 1 })).catch(() => false))
    const own = (events: { streamId: string; position?: Position }[]) =>
      events.filter(({ streamId }) => streamId === lasting).map(({ position }) => position)
    expect(own(await all(client().readAll()))).toEqual(positions)
    const backwards = client().readAll({ direction: BACKWARDS, fromPosition: END })
    expect(own(await all(backwards))).toEqual(positions.toReversed())
    const gap = { commit: 2n, prepare: 2n }
    expect(own(await all(client().readAll({ fromPosition: gap })))).toEqual(positions)
    expect(own(await take(6, client().subscribeToAll({ fromPosition: gap })))).toEqual(positions)
    expect(own(await take(7, client().subscribeToAll({ fromPosition: START })))).toEqual(positions)
  })

  test('never gives a position or a revision out again', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(4))
    const { position } = await client().deleteStream(stream)
    await run()
    await target.restart()
    const next = await until<AppendResult | false>('the new server writes', () =>
      client()
        .appendToStream(stream, note('Next'))
        .catch(() => false),
    )
    expect(next.nextExpectedRevision).toBe(4n)
    expect(next.position!.commit > position!.commit).toBe(true)
  })

  test('runs beside writers and followers, who miss and double nothing', async () => {
    const [stream, whole] = [newStream('busy'), newStream('whole')]
    await client().setStreamMetadata(stream, { maxCount: 10 })
    // A stream that gives its events up hides them from a slow follower: only one that keeps all can be followed whole.
    const followed = take(400, client().subscribeToStream(whole))
    const writing = { ended: false }
    const written = (async () => {
      for (let round = 0; round < 40; round++)
        for (const to of [stream, whole]) await client().appendToStream(to, notes(10))
      writing.ended = true
    })()
    let rounds = 0
    for (; !writing.ended; rounds++) await run()
    await written
    expect(rounds).toBeGreaterThan(0)
    const revisions = (await followed).map(({ revision }) => Number(revision))
    expect(revisions).toEqual(Array.from({ length: 400 }, (_, index) => index))
    await run()
    expect(await stored(stream)).toEqual(Array.from({ length: 10 }, (_, index) => 390 + index))
  })

  test('that only counts takes nothing, and counts what the next one takes', async () => {
    const stream = newStream()
    const data = { text: 'x'.repeat(1_000) }
    await client().appendToStream(
      stream,
      Array.from({ length: 5 }, () => jsonEvent({ type: 'Large', data })),
    )
    await client().deleteStream(stream)
    const counted = await run({ dryRun: true })
    expect(counted).toMatchObject({ streams: 1, events: 4 })
    expect(counted.bytes).toBeGreaterThan(4_000)
    expect(await stored(stream)).toHaveLength(5)
    const steps: number[] = []
    expect(await run({ progress: (done, total) => steps.push(done / total) })).toEqual(counted)
    expect(steps.at(-1)).toBe(1)
    expect(await run()).toEqual({ streams: 0, events: 0, bytes: 0 })
  })

  test('takes more than fits one statement', async () => {
    const stream = newStream()
    for (let round = 0; round < 5; round++) await client().appendToStream(stream, notes(500))
    await client().setStreamMetadata(stream, { maxCount: 1 })
    expect(await run()).toMatchObject({ streams: 1, events: 2_499 })
    expect(await stored(stream)).toEqual([2_499])
  })

  test('is refused while another one runs', async () => {
    const other = new pg.Client(target.database.config)
    await other.connect()
    await other.query("select pg_advisory_lock(hashtext('log-scavenge'))")
    await expect(run()).rejects.toBeInstanceOf(ScavengeRunningError)
    await other.end()
    await expect(run()).resolves.toBeDefined()
  })
})

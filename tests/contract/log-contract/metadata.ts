import { BACKWARDS, END, type EventStoreDBClient, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { all, asError, newStream, note, take, typesOf } from '../log-target.ts'

const LETTERS = ['A', 'B', 'C', 'D', 'E']
const ROLES = { readRoles: ['admin'], writeRoles: ['admin', 'ops'], deleteRoles: ['admin'] }

export function metadataContract(client: () => EventStoreDBClient): void {
  test.each([
    ['one limit', { maxAge: 2 }],
    ['every key', { maxAge: 2, cacheControl: 15, truncateBefore: 1, maxCount: 12, acl: ROLES }],
    ['every role', { acl: { ...ROLES, metaReadRoles: ['admin'], metaWriteRoles: ['admin'] } }],
    ['keys of one’s own', { maxCount: 12, turkey: '🦃', nested: { list: [1, null] } }],
    ['nothing', {}],
  ])('metadata with %s come back as they went', async (_name, metadata) => {
    const stream = newStream()
    await client().setStreamMetadata(stream, { maxCount: 99 })
    await client().setStreamMetadata(stream, metadata)
    expect(await client().getStreamMetadata(stream)).toMatchObject({ streamName: stream, metadata })
  })

  test.each([
    ['that was never written', []],
    ['without metadata', [note('A')]],
  ])('a stream %s has none', async (_name, events) => {
    const stream = newStream()
    if (events.length) await client().appendToStream(stream, events)
    expect(await client().getStreamMetadata(stream)).toEqual({ streamName: stream })
  })

  test('metadata written at a wrong revision are refused and change nothing', async () => {
    const stream = newStream()
    await client().setStreamMetadata(stream, { maxCount: 1 }, { expectedRevision: NO_STREAM })
    const late = { expectedRevision: NO_STREAM } as const
    const refusal = await client().setStreamMetadata(stream, { maxCount: 2 }, late).catch(asError)
    expect(refusal).toBeInstanceOf(WrongExpectedVersionError)
    expect(refusal).toMatchObject({ streamName: `$$${stream}`, actualVersion: 0n })
    expect((await client().getStreamMetadata(stream)).metadata).toEqual({ maxCount: 1 })
    await client().setStreamMetadata(stream, { maxCount: 3 }, { expectedRevision: 0n })
    expect((await client().getStreamMetadata(stream)).metadata).toEqual({ maxCount: 3 })
  })

  test('metadata are not the first event of their stream', async () => {
    const stream = newStream()
    await client().setStreamMetadata(stream, { maxCount: 9 })
    const first = await client().appendToStream(stream, note('A'), { expectedRevision: NO_STREAM })
    expect(first.nextExpectedRevision).toBe(0n)
  })

  test.each([
    ['maxCount 2', { maxCount: 2 }, {}, 'DE'],
    ['maxCount above all', { maxCount: 50 }, {}, 'ABCDE'],
    ['maxCount from before what is seen', { maxCount: 2 }, { fromRevision: 1n }, 'DE'],
    ['maxCount backwards', { maxCount: 2 }, { direction: BACKWARDS, fromRevision: END }, 'ED'],
    ['maxCount backwards from before what is seen', { maxCount: 2 }, { direction: BACKWARDS, fromRevision: 1n }, ''],
    ['truncateBefore 3', { truncateBefore: 3 }, {}, 'DE'],
    ['truncateBefore 3 backwards', { truncateBefore: 3 }, { direction: BACKWARDS, fromRevision: END }, 'ED'],
    ['truncateBefore beyond the end', { truncateBefore: 9 }, {}, ''],
    ['both, by whichever hides more', { truncateBefore: 4, maxCount: 3 }, {}, 'E'],
    ['maxCount with a limit of the read', { maxCount: 3 }, { maxCount: 2 }, 'CD'],
    ['maxAge that all are within', { maxAge: 1000 }, {}, 'ABCDE'],
  ] as const)('%s is what a reader sees', async (_name, metadata, options, expected) => {
    const stream = newStream()
    await client().appendToStream(
      stream,
      LETTERS.map((letter) => note(letter)),
    )
    await client().setStreamMetadata(stream, metadata)
    expect(typesOf(await all(client().readStream(stream, options))).join('')).toBe(expected)
  })

  test('events older than maxAge are seen no more, and revisions go on', async () => {
    const stream = newStream()
    await client().setStreamMetadata(stream, { maxAge: 1 })
    await client().appendToStream(stream, [note('Old'), note('Old')])
    const seen = () => all(client().readStream(stream)).then(typesOf, () => [])
    expect(await seen()).toEqual(['Old', 'Old'])
    await until('the events are too old', async () => (await seen()).length === 0)
    const { nextExpectedRevision } = await client().appendToStream(stream, note('New'), { expectedRevision: 1n })
    expect([nextExpectedRevision, await seen()]).toEqual([2n, ['New']])
  })

  test('a follower of a stream sees what a reader sees, and then everything that comes', async () => {
    const stream = newStream()
    await client().appendToStream(
      stream,
      LETTERS.map((letter) => note(letter)),
    )
    await client().setStreamMetadata(stream, { maxCount: 2 })
    const followed = take(4, client().subscribeToStream(stream))
    await client().appendToStream(stream, [note('F'), note('G')])
    expect(typesOf(await followed).at(-1)).toBe('G')
    expect((await followed).every(({ revision }) => revision >= 3n)).toBe(true)
  })
}

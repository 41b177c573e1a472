import {
  BACKWARDS,
  binaryEvent,
  END,
  type EventStoreDBClient,
  FORWARDS,
  InvalidArgumentError,
  START,
  StreamNotFoundError,
} from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { all, newStream, note, REAL_LOG, typesOf } from '../log-target.ts'

const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F']

export function readContract(client: () => EventStoreDBClient): void {
  test.each([
    ['everything', {}, 'ABCDEF'],
    ['the first two', { maxCount: 2 }, 'AB'],
    ['two from a revision', { fromRevision: 2n, maxCount: 2 }, 'CD'],
    ['from the last revision', { fromRevision: 5n }, 'F'],
    ['from beyond the end', { fromRevision: 9n }, ''],
    ['everything backwards', { direction: BACKWARDS, fromRevision: END }, 'FEDCBA'],
    ['the last two', { direction: BACKWARDS, fromRevision: END, maxCount: 2 }, 'FE'],
    ['two backwards from a revision', { direction: BACKWARDS, fromRevision: 2n, maxCount: 2 }, 'CB'],
    ['backwards from the start', { direction: BACKWARDS, fromRevision: START }, 'A'],
  ] as const)('a stream is read: %s', async (_name, options, expected) => {
    const stream = newStream()
    await client().appendToStream(
      stream,
      LETTERS.map((letter) => note(letter)),
    )
    expect(typesOf(await all(client().readStream(stream, options))).join('')).toBe(expected)
  })

  test('a stream that does not exist is reported as absent', async () => {
    const stream = newStream()
    const failure = await all(client().readStream(stream)).catch((error) => error)
    expect(failure).toBeInstanceOf(StreamNotFoundError)
    expect(failure.streamName).toBe(stream)
  })

  test('the whole log is read from a position, forwards with it and backwards without it', async () => {
    const stream = newStream()
    await client().appendToStream(stream, [note('A'), note('B')])
    const { position: fromPosition } = await client().appendToStream(stream, note('C'))
    await client().appendToStream(stream, note('D'))
    const forwards = client().readAll({ fromPosition: fromPosition!, direction: FORWARDS })
    const backwards = client().readAll({ fromPosition: fromPosition!, direction: BACKWARDS, maxCount: 50 })
    const own = (events: { streamId: string; type: string }[]) =>
      typesOf(events.filter((event) => event.streamId === stream)).join('')
    expect(own(await all(forwards))).toBe('CD')
    expect(own(await all(backwards))).toBe('BA')
    const [last] = await all(client().readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }))
    expect(last!.position).toBeDefined()
  })

  test.each([
    ['everything forwards', { direction: FORWARDS, fromPosition: START }, 'ABCD'],
    ['everything backwards', { direction: BACKWARDS, fromPosition: END }, 'DCBA'],
    ['the last two', { direction: BACKWARDS, fromPosition: END, maxCount: 2 }, 'DC'],
    ['forwards from the end', { direction: FORWARDS, fromPosition: END }, ''],
    ['backwards from the start', { direction: BACKWARDS, fromPosition: START }, ''],
  ] as const)('the whole log is read: %s', async (_name, options, expected) => {
    const stream = newStream()
    await client().appendToStream(
      stream,
      ['A', 'B', 'C', 'D'].map((letter) => note(letter)),
    )
    const read = await all(client().readAll(options))
    expect(typesOf(read.filter(({ streamId }) => streamId === stream)).join('')).toBe(expected)
    if ('maxCount' in options) expect(read).toHaveLength(options.maxCount)
  })

  // A real one takes no position that it has not given out.
  test.skipIf(REAL_LOG)(
    'from a position beyond the end there is everything backwards and nothing forwards',
    async () => {
      const stream = newStream()
      await client().appendToStream(stream, note('A'))
      const fromPosition = { commit: 2n ** 62n, prepare: 2n ** 62n }
      const [last] = await all(client().readAll({ fromPosition, direction: BACKWARDS, maxCount: 1 }))
      expect(last!.streamId).toBe(stream)
      expect(await all(client().readAll({ fromPosition }))).toEqual([])
    },
  )

  test.each([-1n, 2n ** 64n])('a read of a stream from revision %s is refused', (fromRevision) => {
    expect(() => client().readStream(newStream(), { fromRevision })).toThrow(InvalidArgumentError)
  })

  test('reads ahead of large events keep every one and their order', async () => {
    const stream = newStream()
    const large = (index: number) => binaryEvent({ type: `Large${index}`, data: Buffer.alloc(200_000, index) })
    for (let index = 0; index < 12; index++) await client().appendToStream(stream, large(index))
    const expected = Array.from({ length: 12 }, (_, index) => `Large${index}`)
    const forwards = await all(client().readStream(stream))
    expect(typesOf(forwards)).toEqual(expected)
    expect(forwards.every((event, index) => (event.data as Uint8Array).every((byte) => byte === index))).toBe(true)
    const backwards = client().readStream(stream, { direction: BACKWARDS, fromRevision: END })
    expect(typesOf(await all(backwards))).toEqual(expected.toReversed())
  })

  test('a reader who leaves early does not hold up others', async () => {
    const stream = newStream()
    await client().appendToStream(
      stream,
      LETTERS.map((letter) => note(letter)),
    )
    for (let round = 0; round < 20; round++) {
      const read = client().readAll()
      for await (const _ of read) break
      await read.cancel()
    }
    expect(await all(client().readStream(stream))).toHaveLength(6)
  })
}

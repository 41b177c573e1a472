import { ANY, type EventStoreDBClient, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { all, newStream, note, notes } from '../log-target.ts'

/** Appends sent again with the same event ids, as after an answer that was lost. */
export function repeatContract(client: () => EventStoreDBClient): void {
  test('an append sent again at no-stream answers as the first time and adds nothing', async () => {
    const stream = newStream()
    const events = notes(3)
    const first = await client().appendToStream(stream, events, { expectedRevision: NO_STREAM })
    await client().appendToStream(stream, note('Later'))
    const again = await client().appendToStream(stream, events, { expectedRevision: NO_STREAM })
    expect(again.nextExpectedRevision).toBe(first.nextExpectedRevision)
    expect(await all(client().readStream(stream))).toHaveLength(4)
  })

  test('an append sent again at an exact revision answers as the first time and adds nothing', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(2))
    const events = notes(2)
    const first = await client().appendToStream(stream, events, { expectedRevision: 1n })
    const again = await client().appendToStream(stream, events, { expectedRevision: 1n })
    expect(again.nextExpectedRevision).toBe(first.nextExpectedRevision)
    expect(await all(client().readStream(stream))).toHaveLength(4)
  })

  test('an append sent again at any revision adds nothing', async () => {
    const stream = newStream()
    const events = notes(2)
    await client().appendToStream(stream, events, { expectedRevision: ANY })
    await client().appendToStream(stream, note('Between'))
    const again = await client().appendToStream(stream, events, { expectedRevision: ANY })
    expect(again.nextExpectedRevision).toBe(1n)
    expect(await all(client().readStream(stream))).toHaveLength(3)
  })

  test.each([
    ['no-stream', NO_STREAM],
    ['any', ANY],
  ] as const)('an append at %s that repeats only its first event is refused whole', async (_name, expectedRevision) => {
    const stream = newStream()
    const [known, fresh] = [note('Known'), note('Fresh')]
    await client().appendToStream(stream, known)
    const refusal = await client()
      .appendToStream(stream, [known, fresh], { expectedRevision })
      .catch((error) => error)
    expect(refusal).toBeInstanceOf(WrongExpectedVersionError)
    expect(await all(client().readStream(stream))).toHaveLength(1)
  })

  test('the same event id in another stream is another event', async () => {
    const [one, other] = [newStream(), newStream()]
    const event = note('Shared')
    await client().appendToStream(one, event)
    await client().appendToStream(other, event)
    expect(await all(client().readStream(other))).toHaveLength(1)
  })

  test('an append sent five times at once stands once', async () => {
    const stream = newStream()
    const events = notes(2)
    const sent = Array.from({ length: 5 }, () =>
      client().appendToStream(stream, events, { expectedRevision: NO_STREAM }),
    )
    const answers = await Promise.all(sent)
    expect(answers.map(({ nextExpectedRevision }) => nextExpectedRevision)).toEqual([1n, 1n, 1n, 1n, 1n])
    expect(await all(client().readStream(stream))).toHaveLength(2)
  })
}

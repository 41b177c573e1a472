import { runInThisContext } from 'node:vm'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type BatchMessage,
  batchMessageFrom,
  generatedMessageFrom,
  plainMessageFrom,
} from '../../../eventstore/embedded/protocol/batch-message.ts'
import { streamsService } from '../../../eventstore/embedded/protocol/definitions.ts'
import { likeMessage, spoiled, varint } from './bytes.ts'
import { anyMessage, commonMessage, messageFrom } from './messages.ts'

const bytesOf = (message: ReturnType<typeof messageFrom>) => Buffer.from(message.serializeBinary())
const anyBytes = anyMessage.map((parts) => bytesOf(messageFrom(parts)))

/** What a message comes to. An id may come in more bytes than it needs. */
const contentOf = ({ correlation: { text, bytes }, options, ...rest }: BatchMessage) => ({
  ...rest,
  correlation: [text, bytes && shared.UUID.deserializeBinary(bytes).toObject()],
  options: options && { ...options, stream: Buffer.from(options.stream) },
})

const outcomeOf = (read: (bytes: Buffer) => BatchMessage, bytes: Buffer) => {
  try {
    return contentOf(read(bytes))
  } catch {
    return 'refused'
  }
}

test('what the client sends is read by hand, and comes to what the generated code reads', () => {
  fc.assert(
    fc.property(commonMessage, (parts) => {
      const bytes = bytesOf(messageFrom(parts))
      expect(contentOf(plainMessageFrom(bytes)!)).toEqual(contentOf(generatedMessageFrom(bytes)))
    }),
    { numRuns: 75 },
  )
})

test.each([
  ['that the generated code can write', anyBytes, 75],
  ['that are changed, cut or longer', spoiled(anyBytes), 150],
  ['that look like a message', likeMessage, 600],
  ['at all', fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)), 300],
])('bytes %s are read or refused as by the generated code', (_what, arbitrary, numRuns) => {
  const read = { byHand: 0, refused: 0 }
  fc.assert(
    fc.property(arbitrary, (bytes) => {
      const outcome = outcomeOf(generatedMessageFrom, bytes)
      const plain = plainMessageFrom(bytes)
      if (plain) expect(contentOf(plain)).toEqual(outcome)
      expect(outcomeOf(batchMessageFrom, bytes)).toEqual(outcome)
      if (plain) read.byHand++
      if (outcome === 'refused') read.refused++
    }),
    { numRuns },
  )
  expect(read.byHand).toBeGreaterThan(numRuns / 50)
})

const SOON_MS = 500
/** What never pauses is ended by nothing else. */
function interrupted<T>(work: () => T): T {
  const scope = globalThis as { work?: () => unknown }
  scope.work = work
  return runInThisContext('work()', { timeout: SOON_MS })
}
const UUID = '7d4a8a52-8d0f-4d1f-9a0e-5f2f1f6f0b11'
const correlation = [0x0a, 38, 0x12, 36, ...Buffer.from(UUID)]

test.each([
  ['a padded length', [0x0a, ...varint(38n, 2), 0x12, 36, ...Buffer.from(UUID)], true],
  ['a length longer than any message', [0x0a, ...varint(38n, 4), 0x12, 36, ...Buffer.from(UUID)], false],
  ['a field of a later version', [...correlation, 0x2a, 1, 0], false],
  ['a group', [...correlation, 0x2b, 0x2c], false],
])('a message with %s is taken', (_what, bytes, byHand) => {
  expect(batchMessageFrom(Buffer.from(bytes)).correlation.text).toBe(UUID)
  expect(plainMessageFrom(Buffer.from(bytes)) !== undefined).toBe(byHand)
})

test.each([
  ['ends within a number', [...correlation, 0x20, 0x80]],
  ['ends within a field', [...correlation, 0x1a, 9, 0]],
  ['names a length of gigabytes', [...correlation, 0x1a, ...varint(2n ** 31n)]],
  ['names a length of gigabytes in an id', [0x0a, 6, 0x0a, ...varint(2n ** 31n)]],
  ['names a length of gigabytes in a property', [0x1a, 6, 0x12, ...varint(2n ** 32n - 1n)]],
  ['has a field that is longer than what is around it', [0x0a, 3, 0x12, 36, ...Buffer.from(UUID)]],
  ['has a number where a message belongs', [0x08, 1]],
  ['has an unknown kind of field', [0x26, 1]],
])('a message that %s is refused', (_what, bytes) => {
  const begun = performance.now()
  expect(() => batchMessageFrom(Buffer.from(bytes))).toThrow()
  expect(performance.now() - begun).toBeLessThan(SOON_MS)
  expect(plainMessageFrom(Buffer.from(bytes))).toBeUndefined()
})

/** A length of ten bytes that leads back to the field before, as a negative number of 32 bits. */
const back = [0x78, 1, 0x78, 1, 0x7a, ...varint(2n ** 64n - 13n)]

test.each([
  ['', back],
  ['within a message', [0x1a, back.length, ...back]],
  ['within a group', [0x7b, ...back, 0x7c]],
  ['within a group of a group', [0x7b, 0x7b, ...back, 0x7c, 0x7c]],
])('a field nobody knows whose length leads back %s is refused', (_where, bytes) => {
  const read = () => batchMessageFrom(Buffer.from(bytes))
  expect(() => interrupted(read)).toThrow(/^A field is longer/)
})

test.each([
  ['that ends as another', [0x7b, 0x2c]],
  ['that has no end', [0x7b, 0x78, 1]],
])('a group %s is refused', (_how, bytes) => {
  expect(() => batchMessageFrom(Buffer.from(bytes))).toThrow('A group has no end of its own.')
})

test.each(['read', 'append', 'delete', 'tombstone'] as const)(
  'a %s that names a length of gigabytes is refused',
  (name) => {
    const begun = performance.now()
    const { requestDeserialize } = streamsService.StreamsService[name]
    expect(() => requestDeserialize(Buffer.from([0x0a, ...varint(2n ** 31n)]))).toThrow()
    expect(performance.now() - begun).toBeLessThan(SOON_MS)
  },
)

test('payloads share no memory with what the transport read', () => {
  const bytes = bytesOf(
    messageFrom({ correlation: UUID, isFinal: true, events: [{ data: new Uint8Array([1, 2, 3]) }] }),
  )
  const message = batchMessageFrom(bytes)
  bytes.fill(0)
  expect([...message.proposals[0]!.data]).toEqual([1, 2, 3])
})

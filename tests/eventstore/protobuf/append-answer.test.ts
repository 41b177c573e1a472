import shared from '@eventstore/db-client/generated/shared_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import fc from 'fast-check'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import { expect, test } from 'vitest'
import { answerFrom, plainAnswer } from '../../../eventstore/append-codec/answer.ts'
import { batchMessageFrom } from '../../../eventstore/embedded/protocol/batch-message.ts'
import { BatchRequest } from '../../../eventstore/embedded/protocol/batch-request.ts'
import { appended, badRequest, refused, tooBig } from '../../../eventstore/embedded/protocol/batch-response.ts'
import { type ExpectedRevision, TOMBSTONE } from '../../../eventstore/embedded/records.ts'
import { likeMessage, spoiled } from './bytes.ts'
import { messageFrom } from './messages.ts'

const { BatchAppendResp } = messages
const UUID = '7d4a8a52-8d0f-4d1f-9a0e-5f2f1f6f0b11'
const STRUCTURED = { most: '-5', least: '7' }

const correlationOf = (id: string | typeof STRUCTURED | undefined) =>
  batchMessageFrom(messageFrom({ correlation: id, events: [], isFinal: true }).serializeBinary()).correlation
const requestOf = (stream: string, expected: ExpectedRevision) =>
  new BatchRequest({ stream: Buffer.from(stream), expected, deadline: 0 })

const count = fc.integer({ min: 0, max: 2 ** 48 })
const expectation = fc.oneof(fc.constantFrom('any' as const, 'no_stream' as const, 'stream_exists' as const), count)
const done = fc.record({
  id: fc.constantFrom(UUID, STRUCTURED, undefined),
  stream: fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }),
  expected: expectation,
  revision: fc.oneof(count, fc.constantFrom(-1, TOMBSTONE)),
  position: count,
})
type Done = typeof done extends fc.Arbitrary<infer Value> ? Value : never

const byHand = ({ id, stream, expected, revision, position }: Done) =>
  appended(correlationOf(id), requestOf(stream, expected), { ok: true, revision, position })

/** The same answer by the generated code. */
function generated({ id, stream, expected, revision, position }: Done): Buffer {
  const success = new BatchAppendResp.Success()
  if (revision < 0) success.setNoStream(new empty.Empty())
  else success.setCurrentRevision(revision === TOMBSTONE ? '9223372036854775807' : String(revision))
  const at = String(position)
  if (position === 0) success.setNoPosition(new empty.Empty())
  else success.setPosition(new shared.AllStreamPosition().setCommitPosition(at).setPreparePosition(at))
  const answer = new BatchAppendResp().setSuccess(success)
  const request = messageFrom({ correlation: id, events: [], isFinal: true })
  answer.setCorrelationId(request.getCorrelationId())
  answer.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(stream))))
  if (expected === 'any') answer.setAny(new empty.Empty())
  else if (expected === 'no_stream') answer.setNoStream(new empty.Empty())
  else if (expected === 'stream_exists') answer.setStreamExists(new empty.Empty())
  else answer.setStreamPosition(String(expected))
  return Buffer.from(answer.serializeBinary())
}

test('the server answers by hand, to the byte as by the generated code', () => {
  fc.assert(
    fc.property(done, (answer) => {
      expect(byHand(answer).equals(generated(answer))).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('the answer to an append that was done is read by hand, and comes to what the generated code reads', () => {
  fc.assert(
    fc.property(done, (answer) => {
      const bytes = byHand(answer)
      const plain = plainAnswer(bytes)
      const common = answer.id === UUID && answer.revision >= 0 && answer.revision < TOMBSTONE && answer.position > 0
      if (common) expect(plain).toBeDefined()
      expect(answerFrom(bytes).toObject()).toEqual(BatchAppendResp.deserializeBinary(bytes).toObject())
    }),
    { numRuns: 1_000 },
  )
})

const outcomeOf = (read: (bytes: Uint8Array) => InstanceType<typeof BatchAppendResp>, bytes: Buffer) => {
  try {
    return read(bytes).toObject()
  } catch {
    return 'refused'
  }
}

test.each([
  ['that are changed, cut or longer', spoiled(done.map(byHand))],
  ['that look like a message', likeMessage],
])('answers %s are read or refused as by the generated code', (_what, arbitrary) => {
  fc.assert(
    fc.property(arbitrary, (bytes) => {
      const outcome = outcomeOf((all) => BatchAppendResp.deserializeBinary(new Uint8Array(all)), bytes)
      expect(outcomeOf(answerFrom, bytes)).toEqual(outcome)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['a deleted stream', refused(correlationOf(UUID), requestOf('a', 5), { ok: false, reason: 'deleted' })],
  ['a lost race', refused(correlationOf(UUID), requestOf('a', 5), { ok: false, reason: 'wrong-revision', current: 9 })],
  ['lost time', refused(correlationOf(UUID), requestOf('a', 'any'), { ok: false, reason: 'timed-out' })],
  ['a size', tooBig(correlationOf(UUID), requestOf('a', 'no_stream'))],
  ['a request without sense', badRequest(correlationOf(UUID), Buffer.from('a'), new Error('No.'))],
])('a refusal for %s is for the same append', (_why, bytes) => {
  const answer = answerFrom(bytes)
  expect(answer.getCorrelationId()?.getString()).toBe(UUID)
  expect(Buffer.from(answer.getStreamIdentifier()!.getStreamName_asU8()).toString()).toBe('a')
  expect([answer.hasError(), answer.hasSuccess()]).toEqual([true, false])
  expect(plainAnswer(bytes)).toBeUndefined()
})

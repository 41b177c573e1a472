import type { Code } from '@eventstore/db-client/generated/code_pb.js'
import type { Status } from '@eventstore/db-client/generated/status_pb.js'
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { Message } from 'google-protobuf'
import { Frame, nestedBytes, numberBytes } from '../../protobuf/frame.ts'
import { type ExpectedRevision, NOTHING, type WriteOutcome } from '../records.ts'
import type { Correlation } from './batch-message.ts'
import type { BatchRequest } from './batch-request.ts'
import { codes, protoAny, protoEmpty, shared, statuses, streams } from './definitions.ts'
import { MAX_APPEND_BYTES } from './errors.ts'
import { revisionText } from './requests.ts'

type Done = Extract<WriteOutcome, { ok: true }>
type Refused = Extract<WriteOutcome, { ok: false }>

const EMPTY_BYTES = nestedBytes(0)
const EXPECTED_FIELDS = { no_stream: 6, any: 7, stream_exists: 8 } as const

/**
 * The answer to an append that was done, encoded by hand as every append gets one. The numbers are the field numbers of
 * EventStoreDB's `BatchAppendResp`; an answer repeats what the request expected.
 */
export function appended({ bytes }: Correlation, { stream, expected }: BatchRequest, outcome: Done): Buffer {
  const { revision, position } = outcome
  const streamBytes = Buffer.byteLength(stream)
  const at = 2 * numberBytes(position)
  const success =
    (revision < 0 ? EMPTY_BYTES : numberBytes(revision)) + (position === 0 ? EMPTY_BYTES : nestedBytes(at))
  const length =
    (bytes ? nestedBytes(bytes.length) : 0) +
    nestedBytes(success) +
    nestedBytes(nestedBytes(streamBytes)) +
    (typeof expected === 'number' ? numberBytes(expected) : EMPTY_BYTES)
  const frame = new Frame(length)
  if (bytes) frame.bytes(1, bytes)
  frame.open(3, success)
  if (revision < 0) frame.open(2, 0)
  else frame.number(1, revision)
  if (position === 0) frame.open(4, 0)
  else frame.open(3, at).number(1, position).number(2, position)
  frame.open(4, nestedBytes(streamBytes)).text(3, stream, streamBytes)
  return writeExpected(frame, expected).end()
}

const writeExpected = (frame: Frame, expected: ExpectedRevision): Frame =>
  typeof expected === 'number' ? frame.number(5, expected) : frame.open(EXPECTED_FIELDS[expected], 0)

export function refused(correlation: Correlation, request: BatchRequest, outcome: Refused): Buffer {
  return refusal(correlation, request, whyRefused(request, outcome))
}

function whyRefused(request: BatchRequest, outcome: Refused): Status {
  if (outcome.reason === 'timed-out') return failure(codes.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout())
  if (outcome.reason === 'deleted') {
    const deleted = new shared.StreamDeleted().setStreamIdentifier(identifierOf(request.stream))
    return failure(codes.Code.NOT_FOUND, 'StreamDeleted', deleted)
  }
  return failure(codes.Code.ALREADY_EXISTS, 'WrongExpectedVersion', wrongVersion(request, outcome.current))
}

export function tooBig(correlation: Correlation, request: BatchRequest): Buffer {
  const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES)
  const why = failure(codes.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', details)
  return refusal(correlation, request, why)
}

/** A request that makes no sense. The client can show only that it failed. */
export function badRequest(correlation: Correlation, stream: Uint8Array = NOTHING, error: unknown): Buffer {
  const details = new shared.BadRequest().setMessage(error instanceof Error ? error.message : String(error))
  return encoded(answerTo(correlation, stream).setError(failure(codes.Code.INVALID_ARGUMENT, 'BadRequest', details)))
}

/** The storage could not answer for this one alone; it may be sent again. */
export function undecided(correlation: Correlation, request: BatchRequest, { message }: Error): Buffer {
  return refusal(correlation, request, failure(codes.Code.UNKNOWN, 'Unknown', new shared.Unknown()).setMessage(message))
}

function wrongVersion({ expected }: BatchRequest, current: number) {
  const wrong = new shared.WrongExpectedVersion()
  if (current < 0) wrong.setCurrentNoStream(new protoEmpty.Empty())
  else wrong.setCurrentStreamRevision(revisionText(current))
  if (expected === 'any') return wrong.setExpectedAny(new protoEmpty.Empty())
  if (expected === 'no_stream') return wrong.setExpectedNoStream(new protoEmpty.Empty())
  if (expected === 'stream_exists') return wrong.setExpectedStreamExists(new protoEmpty.Empty())
  return wrong.setExpectedStreamPosition(String(expected))
}

function refusal(correlation: Correlation, { stream, expected }: BatchRequest, why: Status): Buffer {
  const answer = answerTo(correlation, Buffer.from(stream)).setError(why)
  if (expected === 'any') answer.setAny(new protoEmpty.Empty())
  else if (expected === 'no_stream') answer.setNoStream(new protoEmpty.Empty())
  else if (expected === 'stream_exists') answer.setStreamExists(new protoEmpty.Empty())
  else answer.setStreamPosition(String(expected))
  return encoded(answer)
}

function answerTo({ bytes }: Correlation, stream: Uint8Array): BatchAppendResp {
  const answer = new streams.BatchAppendResp()
  if (bytes) answer.setCorrelationId(shared.UUID.deserializeBinary(bytes))
  return answer.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(new Uint8Array(stream)))
}

const encoded = (answer: BatchAppendResp): Buffer => Buffer.from(answer.serializeBinary())

const identifierOf = (stream: string) =>
  new shared.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(stream)))

/** An error travels as a packed message whose type the client looks at. */
function failure(code: Code, type: string, message: Message) {
  const details = new protoAny.Any()
  details.pack(message.serializeBinary(), `event_store.client.${type}`)
  return new statuses.Status().setCode(code).setMessage(type).setDetails(details)
}

import type { Code } from '@eventstore/db-client/generated/code_pb.js'
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js'
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { Message } from 'google-protobuf'
import type { WriteOutcome } from '../records.ts'
import type { BatchRequest } from './batch-request.ts'
import { codes, protoAny, protoEmpty, shared, statuses, streams } from './definitions.ts'
import { MAX_APPEND_BYTES } from './errors.ts'
import { revisionText } from './requests.ts'

type Done = Extract<WriteOutcome, { ok: true }>
type Refused = Extract<WriteOutcome, { ok: false }>
type Correlation = UUID | undefined

export function appended(correlation: Correlation, request: BatchRequest, outcome: Done): BatchAppendResp {
  const at = String(outcome.position)
  const success = new streams.BatchAppendResp.Success()
  if (outcome.revision < 0) success.setNoStream(new protoEmpty.Empty())
  else success.setCurrentRevision(revisionText(outcome.revision))
  if (outcome.position === 0) success.setNoPosition(new protoEmpty.Empty())
  else success.setPosition(new shared.AllStreamPosition().setCommitPosition(at).setPreparePosition(at))
  return response(correlation, request).setSuccess(success)
}

export function refused(correlation: Correlation, request: BatchRequest, outcome: Refused): BatchAppendResp {
  const answer = response(correlation, request)
  if (outcome.reason === 'timed-out')
    return answer.setError(failure(codes.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout()))
  if (outcome.reason === 'deleted') {
    const deleted = new shared.StreamDeleted().setStreamIdentifier(identifierOf(request.stream))
    return answer.setError(failure(codes.Code.NOT_FOUND, 'StreamDeleted', deleted))
  }
  return answer.setError(
    failure(codes.Code.ALREADY_EXISTS, 'WrongExpectedVersion', wrongVersion(request, outcome.current)),
  )
}

export function tooBig(correlation: Correlation, request: BatchRequest): BatchAppendResp {
  const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES)
  return response(correlation, request).setError(
    failure(codes.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', details),
  )
}

/** A request that makes no sense. The client can show only that it failed. */
export function badRequest(
  correlation: Correlation,
  identifier: StreamIdentifier | undefined,
  error: unknown,
): BatchAppendResp {
  const details = new shared.BadRequest().setMessage(error instanceof Error ? error.message : String(error))
  return new streams.BatchAppendResp()
    .setCorrelationId(correlation)
    .setStreamIdentifier(identifier ?? new shared.StreamIdentifier())
    .setError(failure(codes.Code.INVALID_ARGUMENT, 'BadRequest', details))
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

/** An answer repeats what the request expected. */
function response(correlation: Correlation, { stream, expected }: BatchRequest): BatchAppendResp {
  const answer = new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(identifierOf(stream))
  if (expected === 'any') return answer.setAny(new protoEmpty.Empty())
  if (expected === 'no_stream') return answer.setNoStream(new protoEmpty.Empty())
  if (expected === 'stream_exists') return answer.setStreamExists(new protoEmpty.Empty())
  return answer.setStreamPosition(String(expected))
}

const identifierOf = (stream: string) =>
  new shared.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(stream)))

/** An error travels as a packed message whose type the client looks at. */
function failure(code: Code, type: string, message: Message) {
  const details = new protoAny.Any()
  details.pack(message.serializeBinary(), `event_store.client.${type}`)
  return new statuses.Status().setCode(code).setMessage(type).setDetails(details)
}

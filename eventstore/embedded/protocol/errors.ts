import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { ExpectedRevision, WriteOutcome } from '../records.ts'
import { StorageLostError } from '../storage/storage.ts'

type Refused = Extract<WriteOutcome, { ok: false }>

/** Largest sum of payload bytes in one append, as EventStoreDB counts it: without metadata. */
export const MAX_APPEND_BYTES = 1024 * 1024

/** Largest event, as EventStoreDB has it; the client reads messages of little more than that. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024

/** An error as gRPC sends it. The client picks its error class by `exception`, then by the code. */
export function rpcError(code: status, details: string, trailers: Record<string, string> = {}): ServiceError {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, headerSafe(value))
  return Object.assign(new Error(details), { name: 'RpcError', code, details, metadata })
}

/** Turns whatever was thrown into an answer. Only lost storage is worth a reconnection. */
export function toRpcError(error: unknown): ServiceError {
  if (isRpcError(error)) return error
  const details = error instanceof Error ? error.message : String(error)
  return rpcError(error instanceof StorageLostError ? status.UNAVAILABLE : status.UNKNOWN, details)
}

export const invalidArgument = (details: string): ServiceError => rpcError(status.INVALID_ARGUMENT, details)

export const shuttingDown = (): ServiceError => rpcError(status.UNAVAILABLE, 'The log server is stopping.')

export const streamDeleted = (stream: string): ServiceError =>
  rpcError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  })

export const appendTooBig = (): ServiceError =>
  rpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  })

export const missingProperty = (name: string): ServiceError =>
  rpcError(status.INVALID_ARGUMENT, `Required Metadata Property '${name}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  })

/** The refusal of a write where the answer has no field of its own for it. */
export function refusedWrite(stream: string, expected: ExpectedRevision, refused: Refused): ServiceError {
  if (refused.reason === 'deleted') return streamDeleted(stream)
  if (refused.reason === 'timed-out') return rpcError(status.ABORTED, 'Operation timed out')
  const [wanted, actual] = [String(expectedAsNumber(expected)), String(refused.current)]
  const details = `WrongExpectedVersion. Stream: ${stream}, Expected version: ${wanted}, Actual version: ${actual}`
  return rpcError(status.FAILED_PRECONDITION, details, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': wanted,
    'actual-version': actual,
  })
}

function expectedAsNumber(expected: ExpectedRevision): number {
  if (typeof expected === 'number') return expected
  return { no_stream: -1, any: -2, stream_exists: -4 }[expected]
}

const isRpcError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && 'metadata' in error && error.metadata instanceof Metadata

const headerSafe = (value: string): string => (/^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value))

import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js'
import type { Map as ProtoMap } from 'google-protobuf'
import { type ExpectedRevision, type ProposedEvent, TOMBSTONE } from '../records.ts'
import { invalidArgument, MAX_EVENT_BYTES, missingProperty } from './errors.ts'
import { uuidOf } from './uuids.ts'

const STREAM_NAME_BYTES = 1024

/** The name in a request. Refuses what the storage could not keep or index. */
export function streamNameOf(identifier: StreamIdentifier | undefined): string {
  const bytes = Buffer.from(identifier?.getStreamName_asU8() ?? [])
  if (!bytes.length) throw invalidArgument('A stream name is missing.')
  if (bytes.length > STREAM_NAME_BYTES) throw invalidArgument(`A stream name has at most ${STREAM_NAME_BYTES} bytes.`)
  const name = storable(bytes.toString('utf8'), 'A stream name')
  if (name === '$$' || name === '$all') throw invalidArgument(`${name} is not the name of a stream.`)
  return name
}

/** A proposed event in either of the protocol's two appends. */
export type Proposal = {
  getId(): UUID | undefined
  getMetadataMap(): ProtoMap<string, string>
  getCustomMetadata_asU8(): Uint8Array
  getData_asU8(): Uint8Array
}

export function proposedEventOf(message: Proposal): ProposedEvent {
  const properties = message.getMetadataMap()
  const type = properties.get('type')
  const contentType = properties.get('content-type')
  if (!type) throw missingProperty('type')
  if (!contentType) throw missingProperty('content-type')
  const [data, metadata] = [bufferOf(message.getData_asU8()), bufferOf(message.getCustomMetadata_asU8())]
  if (data.length + metadata.length + Buffer.byteLength(type) > MAX_EVENT_BYTES)
    throw invalidArgument('Record is too big.')
  return {
    id: uuidOf(message.getId()),
    type: storable(type, 'An event type'),
    json: contentType === 'application/json',
    data,
    metadata,
  }
}

type Expectation = { hasAny(): boolean; hasNoStream(): boolean; hasStreamExists(): boolean }

/** The expectation in a request's options; `exact` reads the field that holds a revision, where there is one. */
export function expectedRevisionOf(options: Expectation, exact: () => string | false): ExpectedRevision {
  if (options.hasAny()) return 'any'
  if (options.hasNoStream()) return 'no_stream'
  if (options.hasStreamExists()) return 'stream_exists'
  const revision = exact()
  if (revision === false) throw invalidArgument('A write states what it expects of its stream.')
  return numberOf(revision)
}

/** A 64-bit number as text; everything from the tombstone up means the end. */
export const numberOf = (text: string): number => Math.min(Number(text), TOMBSTONE)

/** What a write answers as its revision: a stream that was only tombstoned or deleted has none of its own. */
export const revisionText = (revision: number): string =>
  revision >= TOMBSTONE ? '9223372036854775807' : String(Math.max(revision, 0))

function storable(text: string, what: string): string {
  if (text.includes('\0')) throw invalidArgument(`${what} holds a zero byte.`)
  return text
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

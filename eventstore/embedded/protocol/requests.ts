import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js'
import type { Map as ProtoMap } from 'google-protobuf'
import { type ExpectedRevision, NOTHING, type ProposedEvent, TOMBSTONE } from '../records.ts'
import { invalidArgument, MAX_EVENT_BYTES, missingProperty } from './errors.ts'
import { uuidOf, uuidText } from './uuids.ts'

const STREAM_NAME_BYTES = 1024

/** The name in a request. Refuses what the storage could not keep or index. */
export const streamNameOf = (identifier: StreamIdentifier | undefined): string =>
  streamNameFrom(identifier?.getStreamName_asU8() ?? NOTHING)

/** The same from the bytes of the name. */
export function streamNameFrom(bytes: Uint8Array): string {
  if (!bytes.length) throw invalidArgument('A stream name is missing.')
  if (bytes.length > STREAM_NAME_BYTES) throw invalidArgument(`A stream name has at most ${STREAM_NAME_BYTES} bytes.`)
  const name = storable(bufferOf(bytes).toString('utf8'), 'A stream name')
  if (name === '$$' || name === '$all') throw invalidArgument(`${name} is not the name of a stream.`)
  return name
}

/** A proposed event as it came: nothing in it is checked, and what is missing is empty. */
export type Proposal = { id: string; type: string; contentType: string; data: Buffer; metadata: Buffer }

/** A proposed event in either of the protocol's two appends. */
type ProposedMessage = {
  getId(): UUID | undefined
  getMetadataMap(): ProtoMap<string, string>
  getCustomMetadata_asU8(): Uint8Array
  getData_asU8(): Uint8Array
}

export function proposalFrom(message: ProposedMessage): Proposal {
  const properties = message.getMetadataMap()
  return {
    id: uuidText(message.getId()),
    type: properties.get('type') ?? '',
    contentType: properties.get('content-type') ?? '',
    data: bufferOf(message.getData_asU8()),
    metadata: bufferOf(message.getCustomMetadata_asU8()),
  }
}

export function proposedEventOf({ id, type, contentType, data, metadata }: Proposal): ProposedEvent {
  if (!type) throw missingProperty('type')
  if (!contentType) throw missingProperty('content-type')
  if (data.length + metadata.length + Buffer.byteLength(type) > MAX_EVENT_BYTES)
    throw invalidArgument('Record is too big.')
  return {
    id: uuidOf(id),
    type: storable(type, 'An event type'),
    json: contentType === 'application/json',
    data,
    metadata,
  }
}

type Expectation = { hasAny(): boolean; hasNoStream(): boolean; hasStreamExists(): boolean }

/** The expectation in a request's options; `exact` reads the field that holds a revision, where there is one. */
export const expectedRevisionOf = (options: Expectation, exact: () => string | false): ExpectedRevision =>
  expectationFrom(statedExpectation(options, exact))

/** A write states what it expects. */
export function expectationFrom(stated: ExpectedRevision | undefined): ExpectedRevision {
  if (stated === undefined) throw invalidArgument('A write states what it expects of its stream.')
  return stated
}

/** The same, and undefined where the options state none. */
export function statedExpectation(options: Expectation, exact: () => string | false): ExpectedRevision | undefined {
  if (options.hasAny()) return 'any'
  if (options.hasNoStream()) return 'no_stream'
  if (options.hasStreamExists()) return 'stream_exists'
  const revision = exact()
  return revision === false ? undefined : numberOf(revision)
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

import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js'
import { Cursor, UNUSUAL } from '../../protobuf/cursor.ts'
import { type ExpectedRevision, NOTHING } from '../records.ts'
import { streams } from './definitions.ts'
import { type Proposal, proposalFrom, statedExpectation } from './requests.ts'
import { uuidText } from './uuids.ts'

/** By which a client knows its append again: as text, and in the bytes in which it came. */
export type Correlation = { readonly text: string; readonly bytes: Buffer | undefined }

/** Where an append goes. `expected` is undefined where nothing is stated; `deadline` is in milliseconds since 1970. */
export type BatchOptions = {
  readonly stream: Uint8Array
  readonly expected: ExpectedRevision | undefined
  readonly deadline: number
}

/** A message of BatchAppend as it came: nothing in it is checked, and what is missing is empty. */
export type BatchMessage = {
  readonly correlation: Correlation
  readonly options: BatchOptions | undefined
  readonly proposals: readonly Proposal[]
  readonly isFinal: boolean
}

const NO_CORRELATION: Correlation = { text: '', bytes: undefined }
const MOST_NANOS = 0x7fffffff

/**
 * Reads a message of BatchAppend. What clients send is read by hand, because every append passes here; all other bytes
 * by the generated code, which takes or refuses them.
 */
export function batchMessageFrom(bytes: Uint8Array): BatchMessage {
  // A copy of its own: payloads stay in memory for followers, and would keep what else the transport read with them.
  const own = new Uint8Array(bytes)
  return plainMessageFrom(own) ?? generatedMessageFrom(own)
}

/** The message, or undefined where the bytes are not in the plain form. */
export function plainMessageFrom({ buffer, byteOffset, length }: Uint8Array): BatchMessage | undefined {
  try {
    return messageOf(new Cursor(Buffer.from(buffer, byteOffset, length)), length)
  } catch (error) {
    if (error === UNUSUAL) return undefined
    throw error
  }
}

/** The message as the generated code reads it. Throws where the bytes are no message. */
export function generatedMessageFrom(bytes: Uint8Array): BatchMessage {
  const message = streams.BatchAppendReq.deserializeBinary(bytes)
  const id = message.getCorrelationId()
  const options = message.getOptions()
  return {
    correlation: id ? { text: uuidText(id), bytes: Buffer.from(id.serializeBinary()) } : NO_CORRELATION,
    options: options && optionsFrom(options),
    proposals: message.getProposedMessagesList().map(proposalFrom),
    isFinal: message.getIsFinal(),
  }
}

function optionsFrom(options: BatchAppendReq.Options): BatchOptions {
  const deadline = options.getDeadline()
  return {
    stream: options.getStreamIdentifier()?.getStreamName_asU8() ?? NOTHING,
    expected: statedExpectation(options, () => options.hasStreamPosition() && options.getStreamPosition()),
    deadline: deadline ? timeOf(deadline.getSeconds(), deadline.getNanos()) : Number.POSITIVE_INFINITY,
  }
}

const timeOf = (seconds: number, nanos: number): number => seconds * 1000 + nanos / 1e6

// Below, a tag is the number of a field times eight, and 2 where the field has a length.

function messageOf(cursor: Cursor, end: number): BatchMessage {
  let correlation = NO_CORRELATION
  let options: BatchOptions | undefined
  const proposals: Proposal[] = []
  let isFinal = false
  while (cursor.more(end)) {
    const tag = cursor.tag()
    if (tag === 0x0a) correlation = correlationOf(cursor, cursor.nested(end))
    else if (tag === 0x12) options = optionsOf(cursor, cursor.nested(end))
    else if (tag === 0x1a) proposals.push(proposalOf(cursor, cursor.nested(end)))
    else if (tag === 0x20) isFinal = cursor.flag()
    else throw UNUSUAL
  }
  return { correlation, options, proposals, isFinal }
}

function correlationOf(cursor: Cursor, end: number): Correlation {
  const bytes = cursor.peek(end)
  return { bytes, text: idOf(cursor, end) }
}

/** An id that is text; the other form is rare. */
function idOf(cursor: Cursor, end: number): string {
  let text = ''
  while (cursor.more(end)) {
    if (cursor.tag() !== 0x12) throw UNUSUAL
    text = cursor.text(end)
  }
  return text
}

function optionsOf(cursor: Cursor, end: number): BatchOptions {
  let stream: Uint8Array = NOTHING
  let expected: ExpectedRevision | undefined
  let deadline = Number.POSITIVE_INFINITY
  while (cursor.more(end)) {
    const tag = cursor.tag()
    if (tag === 0x0a) stream = streamOf(cursor, cursor.nested(end))
    else if (tag === 0x10) expected = cursor.varint()
    else if (tag === 0x32) deadline = deadlineOf(cursor, cursor.nested(end))
    else {
      expected = EXPECTATIONS[tag]
      if (!expected) throw UNUSUAL
      cursor.empty(end)
    }
  }
  return { stream, expected, deadline }
}

const EXPECTATIONS: Readonly<Record<number, ExpectedRevision>> = { 26: 'no_stream', 34: 'any', 42: 'stream_exists' }

function streamOf(cursor: Cursor, end: number): Uint8Array {
  let stream: Uint8Array = NOTHING
  while (cursor.more(end)) {
    if (cursor.tag() !== 0x1a) throw UNUSUAL
    stream = cursor.field(end)
  }
  return stream
}

function deadlineOf(cursor: Cursor, end: number): number {
  let [seconds, nanos] = [0, 0]
  while (cursor.more(end)) {
    const tag = cursor.tag()
    if (tag === 0x08) seconds = cursor.varint()
    else if (tag === 0x10) nanos = cursor.varint()
    else throw UNUSUAL
  }
  if (nanos > MOST_NANOS) throw UNUSUAL
  return timeOf(seconds, nanos)
}

function proposalOf(cursor: Cursor, end: number): Proposal {
  const proposal = { id: '', type: '', contentType: '', data: NOTHING, metadata: NOTHING }
  while (cursor.more(end)) {
    const tag = cursor.tag()
    if (tag === 0x0a) proposal.id = idOf(cursor, cursor.nested(end))
    else if (tag === 0x12) takeProperty(proposal, cursor, cursor.nested(end))
    else if (tag === 0x1a) proposal.metadata = cursor.field(end)
    else if (tag === 0x22) proposal.data = cursor.field(end)
    else throw UNUSUAL
  }
  return proposal
}

/** One entry of the map of properties: a key and a value. */
function takeProperty(proposal: { type: string; contentType: string }, cursor: Cursor, end: number): void {
  let [key, value] = ['', '']
  while (cursor.more(end)) {
    const tag = cursor.tag()
    if (tag === 0x0a) key = cursor.text(end)
    else if (tag === 0x12) value = cursor.text(end)
    else throw UNUSUAL
  }
  if (key === 'type') proposal.type = value
  else if (key === 'content-type') proposal.contentType = value
}

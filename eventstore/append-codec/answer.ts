import shared from '@eventstore/db-client/generated/shared_pb.js'
import messages, { type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import { Cursor, UNUSUAL } from '../protobuf/cursor.ts'

/** An answer of BatchAppend as it came. Refusals are read by the generated code. Throws where the bytes are no message. */
export const answerFrom = (bytes: Uint8Array): BatchAppendResp =>
  plainAnswer(bytes) ?? messages.BatchAppendResp.deserializeBinary(new Uint8Array(bytes))

/** The answer to an append that was done, read by hand; undefined for any other. */
export function plainAnswer(bytes: Uint8Array): BatchAppendResp | undefined {
  try {
    return answerOf(new Cursor(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)), bytes.length)
  } catch (error) {
    if (error === UNUSUAL) return undefined
    throw error
  }
}

// Below, a tag is the number of a field times eight, and 2 where the field has a length.

function answerOf(cursor: Cursor, end: number): BatchAppendResp {
  const answer = new messages.BatchAppendResp()
  while (cursor.more(end)) {
    const tag = cursor.tag()
    if (tag === 0x0a) answer.setCorrelationId(idOf(cursor, cursor.nested(end)))
    else if (tag === 0x1a) answer.setSuccess(successOf(cursor, cursor.nested(end)))
    else if (tag === 0x22) answer.setStreamIdentifier(streamOf(cursor, cursor.nested(end)))
    else if (tag === 0x28) answer.setStreamPosition(String(cursor.varint()))
    else takeState(answer, tag, cursor, end)
  }
  return answer
}

function idOf(cursor: Cursor, end: number) {
  const id = new shared.UUID()
  while (cursor.more(end)) {
    if (cursor.tag() !== 0x12) throw UNUSUAL
    id.setString(cursor.text(end))
  }
  return id
}

function successOf(cursor: Cursor, end: number) {
  const success = new messages.BatchAppendResp.Success()
  while (cursor.more(end)) {
    const tag = cursor.tag()
    if (tag === 0x08) success.setCurrentRevision(String(cursor.varint()))
    else if (tag === 0x1a) success.setPosition(positionOf(cursor, cursor.nested(end)))
    else throw UNUSUAL
  }
  return success
}

function positionOf(cursor: Cursor, end: number) {
  const position = new shared.AllStreamPosition()
  while (cursor.more(end)) {
    const tag = cursor.tag()
    if (tag === 0x08) position.setCommitPosition(String(cursor.varint()))
    else if (tag === 0x10) position.setPreparePosition(String(cursor.varint()))
    else throw UNUSUAL
  }
  return position
}

function streamOf(cursor: Cursor, end: number) {
  const stream = new shared.StreamIdentifier()
  while (cursor.more(end)) {
    if (cursor.tag() !== 0x1a) throw UNUSUAL
    stream.setStreamName(cursor.field(end))
  }
  return stream
}

/** What the append expected of its stream, where it was no revision. */
function takeState(answer: BatchAppendResp, tag: number, cursor: Cursor, end: number): void {
  if (tag === 0x32) answer.setNoStream(new empty.Empty())
  else if (tag === 0x3a) answer.setAny(new empty.Empty())
  else if (tag === 0x42) answer.setStreamExists(new empty.Empty())
  else throw UNUSUAL
  cursor.empty(end)
}

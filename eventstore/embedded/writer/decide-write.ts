import { randomUUID } from 'node:crypto'
import {
  isMetastream,
  metastreamOf,
  NOTHING,
  type ProposedEvent,
  subjectOf,
  TOMBSTONE,
  type WriteOutcome,
} from '../records.ts'
import type { Storage } from '../storage/storage.ts'
import { repeatedAnywhere, repeatedAt } from './repeats.ts'
import { DELETED, truncatedBefore } from './stream-metadata.ts'
import { isSoftDeleted, type StreamState } from './stream-state.ts'
import type { Write } from './write.ts'
import type { WriteDraft } from './writer-memory.ts'

const deleted: WriteOutcome = { ok: false, reason: 'deleted' }

/** Decides one write on top of the draft, and adds its events there when it is allowed. Throws `UndecidedError` before it adds any. */
export async function decideWrite(
  write: Write,
  draft: WriteDraft,
  storage: Storage,
  nowMs: number,
): Promise<WriteOutcome> {
  if (write.deadline <= nowMs || write.cancelled?.()) return { ok: false, reason: 'timed-out' }
  const state = await draft.state(write.stream)
  if (await isTombstoned(write.stream, state, draft)) return deleted
  const answer = await answerWithoutWriting(write, state, draft, storage)
  if (answer) return answer
  return writeEvents(write, state, draft, nowMs * 1000)
}

/** Adds the events of a write, and what follows from them; answers the last of its own. */
async function writeEvents(
  { kind, stream, events }: Write,
  state: StreamState,
  draft: WriteDraft,
  created: number,
): Promise<WriteOutcome> {
  if (kind === 'tombstone') draft.add(stream, systemEvent('$streamDeleted', NOTHING), created, TOMBSTONE)
  else if (kind === 'delete') await writeMetadata(stream, DELETED, draft, created)
  else {
    const subject = isMetastream(stream) ? subjectOf(stream) : undefined
    const about = subject === undefined ? undefined : await draft.state(subject)
    // For where it begins anew: nothing is added before all is read.
    if (state.retention?.deletedBy) await draft.load([metastreamOf(stream)])
    for (const event of events) draft.add(stream, event, created)
    const own: WriteOutcome = { ok: true, revision: state.last + events.length, position: draft.position }
    await beginAnew(stream, state, draft, created)
    if (subject !== undefined && about) await beginAnew(subject, about, draft, created, events.at(-1)?.data)
    return own
  }
  return { ok: true, revision: (await draft.state(stream)).last, position: draft.position }
}

/**
 * What is written to a deleted stream, or as its metadata, lets it begin anew after its last event: further metadata state
 * it, which keep what else the metadata hold.
 */
async function beginAnew(
  stream: string,
  { last, retention }: StreamState,
  draft: WriteDraft,
  created: number,
  metadata = retention?.deletedBy,
): Promise<void> {
  const truncated = retention?.deletedBy && metadata && truncatedBefore(metadata, last + 1)
  if (truncated) await writeMetadata(stream, truncated, draft, created)
}

async function writeMetadata(stream: string, metadata: Buffer, draft: WriteDraft, created: number): Promise<void> {
  await draft.load([metastreamOf(stream)])
  draft.add(metastreamOf(stream), systemEvent('$metadata', metadata), created)
}

const systemEvent = (type: string, data: Buffer): ProposedEvent => ({
  id: randomUUID(),
  type,
  json: true,
  data,
  metadata: NOTHING,
})

async function isTombstoned(stream: string, state: StreamState, draft: WriteDraft): Promise<boolean> {
  if (state.last === TOMBSTONE) return true
  return isMetastream(stream) && (await draft.state(subjectOf(stream))).last === TOMBSTONE
}

/** A refusal, or the first answer of a repeated append; undefined when the write is to be done. */
async function answerWithoutWriting(
  write: Write,
  state: StreamState,
  draft: WriteDraft,
  storage: Storage,
): Promise<WriteOutcome | undefined> {
  const wrong: WriteOutcome = { ok: false, reason: 'wrong-revision', current: state.last }
  const neverWritten = state.last < 0 && state.retention === null
  if (write.kind === 'delete' && neverWritten) return wrong
  if (write.expected === 'stream_exists') {
    if (isSoftDeleted(state)) return deleted
    if (neverWritten) return wrong
  }
  if (write.expected === 'any' || write.expected === 'stream_exists') return repeatedAnywhere(write, draft, wrong)
  const expected = write.expected === 'no_stream' ? -1 : write.expected
  if (expected === state.last) return undefined
  if (expected > state.last) return wrong
  const repeated = await repeatedAt(expected + 1, write, draft, storage)
  if (repeated) return repeated
  return write.expected === 'no_stream' && isSoftDeleted(state) ? undefined : wrong
}

import { randomUUID } from 'node:crypto'
import {
  type ExpectedRevision,
  isMetastream,
  metastreamOf,
  type ProposedEvent,
  type StoredEvent,
  subjectOf,
  TOMBSTONE,
  type WriteOutcome,
} from '../records.ts'
import type { Storage } from '../storage/storage.ts'
import { isSoftDeleted, SOFT_DELETED, type StreamState, truncatedBefore } from './stream-state.ts'
import type { WriteDraft } from './writer-memory.ts'

/** One request to change a stream. `deadline` is in milliseconds since 1970: a write not begun by then is not done. */
export type Write = {
  kind: 'append' | 'delete' | 'tombstone'
  stream: string
  expected: ExpectedRevision
  events: ProposedEvent[]
  deadline: number
}

const NOTHING = Buffer.alloc(0)
const deleted: WriteOutcome = { ok: false, reason: 'deleted' }

/** Decides one write on top of the draft, and adds its events there when it is allowed. */
export async function decideWrite(
  write: Write,
  draft: WriteDraft,
  storage: Storage,
  nowMs: number,
): Promise<WriteOutcome> {
  if (write.deadline <= nowMs) return { ok: false, reason: 'timed-out' }
  const state = await draft.state(write.stream)
  if (await isTombstoned(write.stream, state, draft)) return deleted
  const answer = await answerWithoutWriting(write, state, draft, storage)
  if (answer) return answer
  await writeEvents(write, state, draft, nowMs * 1000)
  return { ok: true, revision: (await draft.state(write.stream)).last, position: draft.position }
}

async function writeEvents({ kind, stream, events }: Write, state: StreamState, draft: WriteDraft, created: number) {
  const metastream = metastreamOf(stream)
  if (kind === 'tombstone') {
    draft.add(stream, systemEvent('$streamDeleted', NOTHING), created, TOMBSTONE)
  } else if (kind === 'delete') {
    await draft.load([metastream])
    draft.add(metastream, systemEvent('$metadata', truncatedBefore(state.retention, SOFT_DELETED)), created)
  } else {
    if (events.length && isSoftDeleted(state)) {
      await draft.load([metastream])
      draft.add(metastream, systemEvent('$metadata', truncatedBefore(state.retention, state.last + 1)), created)
    }
    for (const event of events) draft.add(stream, event, created)
  }
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

/** Without an exact revision only remembered ids identify a repeat; a batch that repeats in part is refused. */
function repeatedAnywhere({ stream, events }: Write, draft: WriteDraft, wrong: WriteOutcome): WriteOutcome | undefined {
  const positions = events
    .map((event) => draft.positionOf(event.id))
    .map((position) => (position?.stream === stream ? position : undefined))
  if (!positions[0]) return undefined
  const last = positions.at(-1)
  return last && !positions.includes(undefined) ? { ok: true, revision: last.revision, position: last.position } : wrong
}

/**
 * With an exact revision the stream itself shows it: the same ids stand at the revisions the append would have taken.
 */
async function repeatedAt(
  first: number,
  { stream, events }: Write,
  draft: WriteDraft,
  storage: Storage,
): Promise<WriteOutcome | undefined> {
  if (!events.length) return undefined
  const remembered = events.map((event) => draft.positionOf(event.id))
  const isHere = (position: { revision: number; stream: string } | undefined, index: number) =>
    position?.stream === stream && position.revision === first + index
  if (remembered.every(isHere)) return asRepeat(remembered.at(-1))
  const stored = await storedFrom(first, stream, events.length, storage)
  const positions = events.map((event, index) =>
    isHere(remembered[index], index) ? remembered[index] : stored[index]?.id === event.id ? stored[index] : undefined,
  )
  return positions.every(Boolean) ? asRepeat(positions.at(-1)) : undefined
}

async function storedFrom(first: number, stream: string, count: number, storage: Storage): Promise<StoredEvent[]> {
  const stored: StoredEvent[] = []
  for (let more = true; more && stored.length < count; ) {
    const request = { from: first + stored.length, backwards: false, limit: count - stored.length }
    const page = await storage.readStream(stream, request)
    stored.push(...page.events)
    more = page.more
  }
  return stored
}

const asRepeat = (last: { revision: number; position: number } | undefined): WriteOutcome | undefined =>
  last && { ok: true, revision: last.revision, position: last.position }

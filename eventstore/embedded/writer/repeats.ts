import type { StoredEvent, WriteOutcome } from '../records.ts'
import type { Storage } from '../storage/storage.ts'
import { orUndecided } from './undecided.ts'
import type { Write } from './write.ts'
import type { WriteDraft } from './writer-memory.ts'

/** Without an exact revision only remembered ids identify a repeat; a batch that repeats in part is refused. */
export function repeatedAnywhere(
  { stream, events }: Write,
  draft: WriteDraft,
  wrong: WriteOutcome,
): WriteOutcome | undefined {
  const positions = events
    .map((event) => draft.positionOf(event.id))
    .map((position) => (position?.stream === stream ? position : undefined))
  if (!positions[0]) return undefined
  const last = positions.at(-1)
  return last && !positions.includes(undefined) ? { ok: true, revision: last.revision, position: last.position } : wrong
}

/**
 * With an exact revision the stream itself shows it: the same ids stand at the revisions the append would have taken.
 * Throws `UndecidedError` where the stream cannot be read.
 */
export async function repeatedAt(
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
  const stored = await orUndecided(storedFrom(first, stream, events.length, storage))
  const positions = events.map((event, index) =>
    isHere(remembered[index], index) ? remembered[index] : stored[index]?.id === event.id ? stored[index] : undefined,
  )
  return positions.every(Boolean) ? asRepeat(positions.at(-1)) : undefined
}

async function storedFrom(first: number, stream: string, count: number, storage: Storage): Promise<StoredEvent[]> {
  const stored: StoredEvent[] = []
  for (let more = true; more && stored.length < count; ) {
    const request = { from: first + stored.length, backwards: false, limit: count - stored.length }
    const page = await storage.readToWrite(stream, request)
    stored.push(...page.events)
    more = page.more
  }
  return stored
}

const asRepeat = (last: { revision: number; position: number } | undefined): WriteOutcome | undefined =>
  last && { ok: true, revision: last.revision, position: last.position }

import type { StoredEvent } from '../../eventstore/events.ts'
import type { Log } from '../../eventstore/log.ts'

/** An event that tables know of their log, by which it is known again: the last one, or one of the last. */
export type Anchor = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'position'>

export type AnchorLog = Pick<Log, 'read' | 'readLast'>

export const anchorOf = ({ stream, revision, id, position }: StoredEvent): Anchor => ({
  stream,
  revision,
  id,
  position,
})

/**
 * False where the log has another event in its place, or its stream is shorter: the log was set back behind it, however far it
 * has grown since. True where it was taken away, with its stream or from the beginning of that.
 */
export async function isInLog(log: AnchorLog, { stream, revision, id, position }: Anchor): Promise<boolean> {
  const [found] = await log.read(stream, revision, undefined, 1)
  if (found?.revision === revision) return found.id === id && found.position === position
  const last = await log.readLast(stream)
  if (last) return last === 'ended' || Number(last.revision) >= revision
  return (await log.readLast(`$$${stream}`)) !== null
}

import type pg from 'pg'
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

/** Of each set of tables of a projection, by version and generation. */
export async function listAnchors(db: Pick<pg.ClientBase, 'query'>, name: string): Promise<Map<string, Anchor>> {
  const { rows } = await db.query<{ version: number; generation: number; anchor: Anchor | null }>(
    `select t.version, t.generation, c.anchor
     from app.projection_target t cross join lateral app.newest_checkpoint(t.name, t.version, t.generation) c where t.name = $1`,
    [name],
  )
  return new Map(rows.flatMap(({ anchor, ...target }) => (anchor ? [[keyOf(target), anchor]] : [])))
}

export const keyOf = ({ version, generation }: { version: number; generation: number }): string =>
  `${version} ${generation}`

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

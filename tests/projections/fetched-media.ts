import { sql } from 'kysely'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../../projections/projection.ts'
import { type FetchedMedia, mayFetchMedia, mediaFacts } from '../../projections/view/media-access.ts'

const text = (value: string) => sql<string>`${value}::text`

/** Whether the viewer may have a file, by the facts that a request reads. */
export async function mayFetch(db: ReadDb, viewer: MemberId, media: FetchedMedia): Promise<boolean> {
  const [owner, purpose] = [text(media.owner), text(media.purpose)]
  const asked = { viewer: text(viewer), owner, purpose, media: text(media.originalId ?? media.id) }
  return mayFetchMedia(viewer, media, await mediaFacts(db, asked).executeTakeFirstOrThrow())
}

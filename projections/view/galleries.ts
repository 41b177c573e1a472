import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { ReadDb } from '../projection.ts'
import type { Pictured } from './visibility.ts'

/** A gallery item with the id of its blurred derivative, when there is one. */
export type GalleryItem = Pictured & { readonly blurred: string | null }

function itemsOf(db: ReadDb) {
  return db
    .selectFrom('gallery_item as g')
    .leftJoin('media_blur as b', 'b.original', 'g.media')
    .select(['g.media', 'g.kind', 'g.caption', 'g.privacy', 'g.ordinal', 'b.blurred'])
    .orderBy('g.ordinal')
}

/** Every gallery item of a member. */
export function loadGallery(db: ReadDb, member: string): Promise<GalleryItem[]> {
  return itemsOf(db).where('g.member', '=', member).execute()
}

/** The same as a column of a query that joins `read.profile` as p. */
export const galleryOfProfile = (db: ReadDb) =>
  jsonArrayFrom(itemsOf(db).whereRef('g.member', '=', sql.ref('p.member')))

/** The same without what only pages show. */
export const picturesOfProfile = (db: ReadDb) =>
  jsonArrayFrom(
    db
      .selectFrom('gallery_item as g')
      .select(['g.media', 'g.kind', 'g.caption', 'g.privacy', 'g.ordinal'])
      .whereRef('g.member', '=', sql.ref('p.member')),
  )

import type { Table } from '../table.ts'

/** A photo or video of a member's gallery. `ordinal` orders them as they were added. */
export type GalleryItemRow = {
  member: string
  media: string
  kind: 'image' | 'video'
  caption: string
  privacy: 'public' | 'private'
  ordinal: number
}

export const galleryItem: Table<GalleryItemRow> = {
  name: 'gallery_item',
  columns: {
    member: 'text collate "C" not null',
    media: 'text collate "C" not null',
    kind: 'text not null',
    caption: 'text not null',
    privacy: 'text not null',
    ordinal: 'integer not null',
  },
  key: ['member', 'media'],
  unsampled: ['caption'],
}

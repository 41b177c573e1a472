import type { GalleryRefusal } from '../../domain/profile/gallery.ts'
import type { PipelineRefusal } from '../act.ts'
import type { Outcome } from '../outcome.ts'

/** Why a gallery stays as it is. `invalid-media`: not an upload of the member's own for this purpose. */
export type GalleryReason = GalleryRefusal | PipelineRefusal | 'invalid-media'
/** What a change of the gallery may come to. */
export type GalleryOutcome = Outcome<unknown, GalleryReason>

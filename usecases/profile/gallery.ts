import type { GalleryRefusal } from '../../domain/profile/gallery.ts'
import type { PipelineRefusal } from '../act.ts'
import type { Outcome } from '../outcome.ts'

/** What a change of the gallery may come to. */
export type GalleryOutcome = Outcome<unknown, GalleryRefusal | PipelineRefusal | 'invalid-media'>

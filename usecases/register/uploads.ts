import type { MediaId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'
import type { VisitorProof } from './proof.ts'

/** An upload of a visitor, for the draft of their registration. */
export type DraftMedia = { id: MediaId; kind: 'image' | 'video' | 'audio' }

/** What a visitor has uploaded so far, oldest first. */
export async function uploadsOf({ media }: Pick<Ports, 'media'>, proof: VisitorProof): Promise<DraftMedia[]> {
  return (await media.list({ proof: proof.id })).map(({ id, kind }) => ({ id, kind }))
}

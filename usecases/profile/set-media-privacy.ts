import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId } from '../../domain/shared/ids.ts'
import { sendUntilItHolds, slowDown } from '../act.ts'
import type { Acting } from '../ports.ts'
import type { GalleryOutcome } from './gallery.ts'

/** Opens a picture of the gallery to others, or shuts it (api-contract C74). */
export async function setMediaPrivacy(
  acting: Acting,
  { media, privacy, commandId }: { media: MediaId; privacy: 'public' | 'private'; commandId: string },
): Promise<GalleryOutcome> {
  const wait = (await slowDown(acting, 'WRITE')) ?? (privacy === 'private' ? null : await slowDown(acting, 'EDIT'))
  if (wait) return wait
  const { member } = acting.who
  return sendUntilItHolds(acting, { commandId, protects: privacy === 'private' }, galleryDecider, {
    type: 'ChangeMediaPrivacy',
    member,
    media,
    privacy,
    at: acting.now(),
  })
}

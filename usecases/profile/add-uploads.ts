import type { MediaId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { done } from '../outcome.ts'
import type { Acting } from '../ports.ts'
import { addMedia } from './add-media.ts'
import type { GalleryOutcome } from './gallery.ts'
import { setAvatar } from './set-avatar.ts'

/** Puts uploads of the member's own into the gallery, one after the other up to the first that is refused. */
export async function addUploads(
  acting: Acting,
  { uploads, asAvatar, commandId }: { uploads: readonly MediaId[]; asAvatar: boolean; commandId: string },
): Promise<GalleryOutcome> {
  const add = asAvatar ? setAvatar : addMedia
  for (const media of uploads) {
    const added = await add(acting, { media, commandId: uuidFrom(commandId, media) })
    if (!added.ok) return added
  }
  return done(null)
}

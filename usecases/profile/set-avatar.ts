import type { MediaId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import type { Acting } from '../ports.ts'
import { addMedia, TAKEN_BY_ADDING } from './add-media.ts'
import { chooseAvatar, TAKEN_BY_CHOOSING } from './choose-avatar.ts'
import type { GalleryOutcome } from './gallery.ts'

/** The classes of its limits (api-contract §6.2). */
export const TAKEN_BY_AVATAR = [...TAKEN_BY_ADDING, ...TAKEN_BY_CHOOSING]

/** Makes an upload of the member's own the avatar. It goes into the gallery first, quietly where it is there already. */
export async function setAvatar(
  acting: Acting,
  { media, commandId }: { media: MediaId; commandId: string },
): Promise<GalleryOutcome> {
  const added = await addMedia(acting, { media, commandId: uuidFrom(commandId, 'add') })
  return added.ok ? chooseAvatar(acting, { media, commandId: uuidFrom(commandId, 'avatar') }) : added
}

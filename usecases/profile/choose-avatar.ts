import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId } from '../../domain/shared/ids.ts'
import { sendUntilItHolds, slowDown } from '../act.ts'
import type { Acting } from '../ports.ts'
import type { GalleryOutcome } from './gallery.ts'

/** Makes a picture of the gallery the member's avatar (ruling R30). */
export async function chooseAvatar(
  acting: Acting,
  { media, commandId }: { media: MediaId; commandId: string },
): Promise<GalleryOutcome> {
  const wait = (await slowDown(acting, 'WRITE')) ?? (await slowDown(acting, 'EDIT'))
  if (wait) return wait
  const command = { type: 'ChooseAvatar' as const, member: acting.who.member, media, at: acting.now() }
  return sendUntilItHolds(acting, { commandId }, galleryDecider, command)
}

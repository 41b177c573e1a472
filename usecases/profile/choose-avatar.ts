import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId } from '../../domain/shared/ids.ts'
import { type Rate, sendUntilItHolds, slowDownBy } from '../act.ts'
import type { Acting } from '../ports.ts'
import type { GalleryOutcome } from './gallery.ts'

/** The classes of its limits (api-contract §6.2). */
export const TAKEN_BY_CHOOSING: readonly Rate[] = ['WRITE', 'EDIT']

/** Makes a picture of the gallery the member's avatar (ruling R30). */
export async function chooseAvatar(
  acting: Acting,
  { media, commandId }: { media: MediaId; commandId: string },
): Promise<GalleryOutcome> {
  const wait = await slowDownBy(acting, TAKEN_BY_CHOOSING)
  if (wait) return wait
  const command = { type: 'ChooseAvatar' as const, member: acting.who.member, media, at: acting.now() }
  return sendUntilItHolds(acting, { commandId }, galleryDecider, command)
}

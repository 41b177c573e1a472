import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId } from '../../domain/shared/ids.ts'
import { send, slowDown } from '../act.ts'
import type { Acting } from '../ports.ts'
import type { GalleryOutcome } from './gallery.ts'
import { takeOutRemoved } from './take-out-removed.ts'

/**
 * Takes a picture out of the gallery and its bytes off the disk (api-contract C75). Whoever put it back in meanwhile finds
 * it gone, or is found here.
 */
export async function removeMedia(
  acting: Acting,
  { media, commandId }: { media: MediaId; commandId: string },
): Promise<GalleryOutcome> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const command = { type: 'RemoveMedia' as const, member: acting.who.member, media, at: acting.now() }
  const outcome = await send(acting, { commandId }, galleryDecider, command)
  const removed = outcome.ok && (await acting.media.remove(media, { member: acting.who.member }))
  if (removed) await takeOutRemoved(acting, media)
  return outcome
}

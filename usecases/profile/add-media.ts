import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId } from '../../domain/shared/ids.ts'
import { type Rate, send, slowDownBy } from '../act.ts'
import { withAttached } from '../media/with-attached.ts'
import { refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'
import type { GalleryOutcome } from './gallery.ts'
import { takeOutRemoved } from './take-out-removed.ts'

/** The classes of its limits (api-contract §6.2). */
export const TAKEN_BY_ADDING: readonly Rate[] = ['WRITE']

/** Puts an upload of the member's own into the gallery (api-contract C71). */
export async function addMedia(
  acting: Acting,
  { media, caption = '', commandId }: { media: MediaId; caption?: string; commandId: string },
): Promise<GalleryOutcome> {
  const { member } = acting.who
  const claim = { id: media, purposes: ['photo', 'avatar'] as const }
  return withAttached(acting, claim, async ({ kind }): Promise<GalleryOutcome> => {
    if (kind === 'audio') return refused('invalid-media')
    const wait = await slowDownBy(acting, TAKEN_BY_ADDING)
    if (wait) return wait
    const item = { media, kind, caption, privacy: 'public' as const }
    const command = { type: 'AddMedia' as const, member, item, at: acting.now() }
    const added = await send(acting, { commandId }, galleryDecider, command)
    if (!added.ok || (await acting.media.find(media))) return added
    await takeOutRemoved(acting, media)
    return refused('invalid-media')
  })
}

import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId } from '../../domain/shared/ids.ts'
import { type Rate, sendUntilItHolds, slowDownBy } from '../act.ts'
import { withAttached } from '../media/with-attached.ts'
import type { Acting } from '../ports.ts'
import type { GalleryOutcome } from './gallery.ts'

/** The classes of its limits (api-contract §6.2). */
export const takenByVoice = (media: MediaId | null): readonly Rate[] => (media ? ['WRITE', 'EDIT'] : ['WRITE'])

/** null takes the voice intro away (spec 2 §4). */
export async function setVoiceIntro(
  acting: Acting,
  { media, commandId }: { media: MediaId | null; commandId: string },
): Promise<GalleryOutcome> {
  const { member } = acting.who
  const set = async (): Promise<GalleryOutcome> => {
    const wait = await slowDownBy(acting, takenByVoice(media))
    if (wait) return wait
    return sendUntilItHolds(acting, { commandId }, galleryDecider, {
      type: 'SetVoiceIntro',
      member,
      media,
      at: acting.now(),
    })
  }
  return media ? withAttached(acting, { id: media, purposes: ['voice'] }, set) : set()
}

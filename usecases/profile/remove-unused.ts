import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { LogUnavailable } from '../../eventstore/log.ts'
import { ORPHAN_MS } from '../../services/media/removal.ts'
import type { MediaUse } from '../../services/media/uses.ts'
import { type KeepingGalleries, keepGallery, namedIn } from './keep-gallery.ts'

/** How many uploads one run looks at: a few seconds' work. */
const AT_ONCE = 1_000

/**
 * Removes the files that a gallery named once, or was about to, and that it has not named for a day; and takes pictures
 * without a file out of galleries. Only the log knows what a gallery names: no read model is asked. Looks at each
 * upload once a day, and at those first that it has not looked at for longest: where there are more than the runs of a
 * day look at, each continues where the one before stopped. Answers how many it removed. Throws what a gallery threw
 * that cannot be read, once it has looked at the others.
 */
export async function removeUnused(context: KeepingGalleries, limit: number = AT_ONCE): Promise<number> {
  const before = new Date(context.now().getTime() - ORPHAN_MS)
  const failed: unknown[] = []
  let removed = 0
  for (const [member, ids] of byMember(await context.media.listKept(before, limit))) {
    try {
      removed += await removeUnusedOf(context, member, before)
    } catch (error) {
      // It would be the same for every other.
      if (error instanceof LogUnavailable) throw error
      failed.push(error)
    }
    // Whose gallery cannot be read is not the first again in the next run.
    await context.media.keep(member, ids)
  }
  if (failed.length > 0) throw failed[0]
  return removed
}

/**
 * A gallery always has a picture: without one it is not filled yet, erased, or not in this log, and decides nothing. A
 * command that has attached an upload names it within a day.
 */
async function removeUnusedOf(context: KeepingGalleries, member: MemberId, before: Date): Promise<number> {
  const gallery = await context.loadState(galleryDecider, member)
  if (gallery.items.length === 0) return 0
  await keepGallery(context, member, 'system')
  return context.media.removeUnnamed(member, namedIn(gallery), before)
}

function byMember(uses: readonly MediaUse[]): Map<MemberId, string[]> {
  const found = new Map<MemberId, string[]>()
  for (const { member, id } of uses) found.set(member, [...(found.get(member) ?? []), id])
  return found
}

import { randomUUID } from 'node:crypto'
import { type Gallery, galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'

export type KeepingGalleries = Pick<Ports, 'dispatch' | 'loadState' | 'media' | 'now'>

/** The uploads that a gallery refers to. */
export const namedIn = ({ items, voice }: Pick<Gallery, 'items' | 'voice'>): MediaId[] => [
  ...items.map(({ media }) => media),
  ...(voice ? [voice] : []),
]

/**
 * Keeps the files that a member's gallery names, and takes out of it what has no file any more. False where no image would
 * be left: then the gallery stays as it is.
 */
export async function keepGallery(context: KeepingGalleries, member: MemberId, actor: string): Promise<boolean> {
  const named = namedIn(await context.loadState(galleryDecider, member))
  const kept = await context.media.keep(member, named)
  const lost = named.filter((id) => !kept.includes(id))
  if (lost.length === 0) return true
  const command = { type: 'DropLostMedia', member, lost, at: context.now() } as const
  const dropped = await context.dispatch(galleryDecider, command, { commandId: randomUUID(), actor })
  if (!dropped.ok && dropped.reason !== 'last-photo') throw new Error(`A gallery stays as it was: ${dropped.reason}.`)
  return dropped.ok
}

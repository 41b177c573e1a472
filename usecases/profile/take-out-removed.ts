import { randomUUID } from 'node:crypto'
import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MediaId } from '../../domain/shared/ids.ts'
import { send } from '../act.ts'
import type { Acting } from '../ports.ts'

/** Takes a picture whose file is gone out of the gallery; quiet when it is not in it. */
export async function takeOutRemoved(acting: Acting, media: MediaId): Promise<void> {
  const { member } = acting.who
  const { items } = await acting.loadState(galleryDecider, member)
  if (!items.some((item) => item.media === media)) return
  const command = { type: 'RemoveMedia' as const, member, media, at: acting.now() }
  await send(acting, { commandId: randomUUID() }, galleryDecider, command)
}

import { MediaId } from '../../domain/shared/ids.ts'
import { readUrl } from '../../domain/shared/read-url.ts'

/** Where an upload is served (api-contract N8). */
export function mediaUrl(id: MediaId): string {
  return `/media/${id}`
}

/** The upload that an address of our own names, or null: members may name no other (api-contract §6.0). */
export function mediaIdFrom(address: string, publicUrl: string): MediaId | null {
  const url = readUrl(address, publicUrl)
  if (!url) return null
  const { origin, pathname, search, hash } = url
  const id = MediaId.safeParse(pathname.replace(/^\/media\//, ''))
  return origin === new URL(publicUrl).origin && pathname.startsWith('/media/') && search + hash === '' && id.success
    ? id.data
    : null
}

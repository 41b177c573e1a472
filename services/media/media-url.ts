import { MediaId } from '../../domain/shared/ids.ts'

/** Where an upload is served (api-contract N8). */
export function mediaUrl(id: MediaId): string {
  return `/media/${id}`
}

/** The upload that an address of our own names, or null: members may name no other (api-contract §6.0). */
export function mediaIdFrom(address: string, publicUrl: string): MediaId | null {
  if (!URL.canParse(address, publicUrl)) return null
  const { origin, pathname, search, hash } = new URL(address, publicUrl)
  const id = MediaId.safeParse(pathname.replace(/^\/media\//, ''))
  return origin === new URL(publicUrl).origin && pathname.startsWith('/media/') && search + hash === '' && id.success
    ? id.data
    : null
}

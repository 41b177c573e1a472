import { minutes } from '../../domain/shared/dates.ts'
import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Clock } from '../clock.ts'
import { createSigner } from '../secrets.ts'

/** api-contract N8 */
export const LINK_MS = minutes(10)

/** `?sig=` for players that send neither cookie nor header. The policy is still asked on every request. */
export type MediaLinks = {
  sign(viewer: MemberId, id: string): string
  /** Who asks, or null when forged, of another file, or too old. */
  verify(id: string, sig: string): MemberId | null
}

export function createMediaLinks({ secret, now }: { secret: Buffer; now: Clock }): MediaLinks {
  const signer = createSigner(secret, 'media-links')
  return {
    sign(viewer, id) {
      const head = `${viewer}.${now().getTime() + LINK_MS}`
      return `${head}.${signer.sign(`${head}.${id}`)}`
    },
    verify(id, sig) {
      const [viewer = '', expires = '', signature = '', ...rest] = sig.slice(0, 256).split('.')
      if (rest.length > 0 || !ID_PATTERN.test(viewer)) return null
      if (!signer.verify(`${viewer}.${expires}.${id}`, signature)) return null
      const left = Number(expires) - now().getTime()
      return left > 0 && left <= LINK_MS ? (viewer as MemberId) : null
    },
  }
}

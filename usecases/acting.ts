import type { MemberId } from '../domain/shared/ids.ts'
import type { Acting, Entitlements, Ports } from './ports.ts'

/** Of a member without premium. */
export const NO_ENTITLEMENTS: Entitlements = { restricted: false }

/** A member who acts without a request of their own: by a socket, a tool, the demo world. */
export function actingAs(ports: Ports, member: MemberId): Acting {
  return { ...ports, who: { member, entitlements: NO_ENTITLEMENTS } }
}

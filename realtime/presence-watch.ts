import type { MemberId } from '../domain/shared/ids.ts'
import type { Bus } from './bus.ts'
import { Presence } from './presence.ts'

/** Who is online, for a process that serves pages but no sockets. */
export function watchPresence(bus: Bus): { isOnline(member: MemberId): boolean; stop(): void } {
  const node = crypto.randomUUID()
  const presence = new Presence({ node, offlineAfterMs: 0, shows: async () => false, changed: () => undefined })
  const seat = bus.join((message) => message.type !== 'typing' && presence.hear(message))
  presence.start(seat)
  return {
    isOnline: (member) => presence.isOnline(member),
    stop() {
      presence.stop()
      seat.leave()
    },
  }
}

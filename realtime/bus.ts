import { z } from 'zod'
import { MemberId, PairId } from '../domain/shared/ids.ts'

/** What realtime nodes send each other; nothing of it is stored. */
export const BusMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('typing'), room: PairId, from: MemberId, on: z.boolean() }),
  z.strictObject({ type: z.literal('presence'), node: z.string(), member: MemberId, on: z.boolean() }),
  /**
   * Some of those who are online at a node, sent again and again; a node that falls silent is forgotten. Whoever has
   * heard all `of` a `turn` knows that nobody else is online there.
   */
  z.strictObject({
    type: z.literal('online'),
    node: z.string(),
    turn: z.int(),
    of: z.int(),
    members: z.array(MemberId),
  }),
  /** A new node asks the others who is online. */
  z.strictObject({ type: z.literal('hello'), node: z.string() }),
])
export type BusMessage = z.infer<typeof BusMessage>

/** One node's seat: what it sends reaches every other seat, best effort and in order. */
export type BusSeat = { send(message: BusMessage): void; leave(): void }
export type Bus = { join(listener: (message: BusMessage) => void): BusSeat; close(): Promise<void> }

/** For nodes of one process; alone it reaches nobody. */
export function createLocalBus(): Bus {
  const seats = new Set<(message: BusMessage) => void>()
  return {
    join(listener) {
      seats.add(listener)
      return {
        send: (message) => {
          for (const seat of seats) if (seat !== listener) seat(message)
        },
        leave: () => void seats.delete(listener),
      }
    },
    async close() {
      seats.clear()
    },
  }
}

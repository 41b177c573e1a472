import type { LocationReply } from '../../ui/location/location-reply.ts'

/** `next`: the id of the command that comes next about the card, its undo, or its decision after an undo. */
export type DiscoverDone = {
  readonly matched: boolean
  readonly next?: string
  /** Where the log has it. */
  readonly pos?: string | undefined
}

/** What a form of the Discover page came to. */
export type DiscoverReply = LocationReply<DiscoverDone>

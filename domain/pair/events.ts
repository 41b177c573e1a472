// These names and fields are the storage format; add, never change.
import { z } from 'zod'
import { at, defineEvent, type EventOf } from '../shared/event.ts'
import { MediaId, MemberId, MessageId } from '../shared/ids.ts'
import { personal } from '../shared/personal.ts'

/** Where a buzz was made; a screen words its outcome by it. */
export const Via = z.enum(['discover', 'profile', 'notification', 'microbuzz'])
export type Via = z.infer<typeof Via>

export const Buzzed = defineEvent('Buzzed', [z.object({ from: MemberId, to: MemberId, via: Via, at })])
export const BuzzWithdrawn = defineEvent('BuzzWithdrawn', [z.object({ from: MemberId, to: MemberId, at })])
/** `until`: the skipped member does not come back before (ruling R11). */
export const Skipped = defineEvent('Skipped', [
  z.object({ by: MemberId, target: MemberId, until: z.coerce.date(), at }),
])
export const SkipUndone = defineEvent('SkipUndone', [z.object({ by: MemberId, target: MemberId, at })])
/** In the same append as the second `Buzzed`; the one who buzzed first comes first. */
export const Matched = defineEvent('Matched', [z.object({ members: z.tuple([MemberId, MemberId]), at })])
export const Unmatched = defineEvent('Unmatched', [z.object({ by: MemberId, target: MemberId, at })])
export const Blocked = defineEvent('Blocked', [z.object({ by: MemberId, target: MemberId, at })])
export const Unblocked = defineEvent('Unblocked', [z.object({ by: MemberId, target: MemberId, at })])
const sent = {
  number: z.number().int().positive(),
  from: MemberId,
  to: MemberId,
  text: personal('from', z.string()),
  media: personal('from', MediaId.nullable()),
  at,
}
const read = { by: MemberId, other: MemberId, upTo: MessageId, number: z.number().int().positive(), at }
const asItWas = (first: Record<string, unknown>) => first

/**
 * `number` counts the messages of the pair from 1. A message has words, a media item, or both. `message` is chosen by its
 * author, and so may hold words of theirs.
 */
export const MessageSent = defineEvent(
  'MessageSent',
  [z.object({ message: MessageId, ...sent }), z.object({ message: personal('from', MessageId), ...sent })],
  [asItWas],
)
/** `by` has seen every message up to `number`, which is the one with id `upTo`, of `other`. */
export const MessagesRead = defineEvent(
  'MessagesRead',
  [z.object(read), z.object({ ...read, upTo: personal('other', MessageId) })],
  [asItWas],
)

export const pairEvents = [
  Buzzed,
  BuzzWithdrawn,
  Skipped,
  SkipUndone,
  Matched,
  Unmatched,
  Blocked,
  Unblocked,
  MessageSent,
  MessagesRead,
] as const
export type PairEvent = EventOf<(typeof pairEvents)[number]>

import type { EventNamed } from '../../domain/all-events.ts'
import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import { MESSAGE_MAX } from '../../domain/pair/limits.ts'
import { type MediaId, type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { valueOr } from '../../domain/shared/personal.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { lengthOf, tidy } from '../../domain/shared/text.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { findAccess } from '../../projections/view/access.ts'
import { type PipelineRefusal, send, slowDown } from '../act.ts'
import { withAttached } from '../media/with-attached.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

export type NewMessage = {
  to: MemberId
  id: MessageId
  text: string
  media?: MediaId | null
  /** The caller follows the log and knows that the room of the two is open: the read model is not asked. */
  roomIsOpen?: boolean
}
export type SentMessage = {
  readonly id: MessageId
  readonly roomId: string
  readonly number: number
  readonly from: MemberId
  readonly to: MemberId
  readonly text: string
  readonly media: MediaId | null
  readonly time: string
}
export type SendRefusal = PairRefusal | PipelineRefusal | 'too-long' | 'invalid-media'
export type SendOutcome = Outcome<{ message: SentMessage; position: Position }, SendRefusal>

/**
 * Writes to a match (api-contract N5). The id is the client's own: the same one again answers the first message, and
 * one that the other side has used is refused; neither meets the limit, as far as it is looked up (REPEAT). Used by the
 * form, the call and the socket alike.
 */
export async function sendMessage(acting: Acting, message: NewMessage): Promise<SendOutcome> {
  const { to, id, text, media = null, roomIsOpen = false } = message
  const words = tidy(text)
  if (lengthOf(words) > MESSAGE_MAX) return refused('too-long')
  const from = acting.who.member
  const command = { type: 'SendMessage' as const, message: id, from, to, text: words, media, at: acting.now() }
  const commandId = uuidFrom('message', pairIdOf(from, to), id)
  const wait = await slowDown(acting, 'MSG')
  if (wait && (await slowDown(acting, 'REPEAT'))) return wait
  const isOpen = roomIsOpen || (await findAccess(acting.read, from, to)) === 'matched'
  // Whether it is a repeat is a question to the pair's stream, which those two may ask.
  if (wait && !(isOpen && (await acting.isRepeat(pairDecider, command, commandId)))) return wait
  if (!isOpen) return refused('not-matched')
  const write = () => send(acting, { commandId, same: { from } }, pairDecider, command)
  const outcome = media ? await withAttached(acting, { id: media, purposes: ['chat'] }, write) : await write()
  if (!outcome.ok) return outcome
  const { events, position } = outcome.value
  return done({ position, message: toSent(events[0] as EventNamed<'MessageSent'>, command) })
}

type Sending = { readonly message: MessageId; readonly from: MemberId; readonly to: MemberId }

function toSent(event: EventNamed<'MessageSent'>, { message, from, to }: Sending): SentMessage {
  return {
    id: valueOr(event.message, message),
    roomId: pairIdOf(from, to),
    number: event.number,
    from,
    to,
    text: valueOr(event.text, ''),
    media: valueOr(event.media, null),
    time: event.at.toISOString(),
  }
}

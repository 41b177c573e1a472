import type { EventNamed } from '../../domain/all-events.ts'
import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import { MESSAGE_MAX } from '../../domain/pair/limits.ts'
import { type MediaId, type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { valueOr } from '../../domain/shared/personal.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { tidy } from '../../domain/shared/text.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { findAccess } from '../../projections/view/access.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'
import type { Ports } from '../ports.ts'

export type NewMessage = { to: MemberId; id: MessageId; text: string; media?: MediaId | null }
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
export type SendOutcome =
  | { ok: true; message: SentMessage; position: Position }
  | Refusal<PairRefusal | PipelineRefusal | 'too-long' | 'invalid-media'>

/**
 * Writes to a match (api-contract N5). The id is the client's own: the same one again answers the first message. Used
 * by the form, the call and the socket alike.
 */
export async function sendMessage(
  context: Acting & Pick<Ports, 'media'>,
  me: MemberId,
  { to, id, text, media = null }: NewMessage,
): Promise<SendOutcome> {
  const words = tidy(text)
  if (words.length > MESSAGE_MAX) return { ok: false, reason: 'too-long' }
  const wait = await slowDown(context, 'MSG', me)
  if (wait) return wait
  if ((await findAccess(context.read, me, to)) !== 'matched') return { ok: false, reason: 'not-matched' }
  const own = media && (await context.media.attach({ member: me }, [{ id: media, purposes: ['chat'] }]))
  if (media && !own) return { ok: false, reason: 'invalid-media' }
  const command = { type: 'SendMessage' as const, message: id, from: me, to, text: words, media, at: context.now() }
  const commandId = uuidFrom('message', pairIdOf(me, to), me, id)
  const outcome = await send(context, { me, commandId }, pairDecider, command)
  if (!outcome.ok) return outcome
  const sent = outcome.events[0] as EventNamed<'MessageSent'>
  return { ok: true, position: outcome.position, message: toSent(sent, me, to) }
}

function toSent(event: EventNamed<'MessageSent'>, from: MemberId, to: MemberId): SentMessage {
  return {
    id: event.message,
    roomId: pairIdOf(from, to),
    number: event.number,
    from,
    to,
    text: valueOr(event.text, ''),
    media: valueOr(event.media, null),
    time: event.at.toISOString(),
  }
}

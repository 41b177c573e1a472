import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId, MessageId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { findMessage } from '../../projections/conversations/queries.ts'
import { findAccess } from '../../projections/view/access.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'

/** Everything up to this message of the room is read (api-contract N6); reading twice changes nothing. */
export async function markRead(
  context: Acting,
  me: MemberId,
  { other, upTo }: { other: MemberId; upTo: MessageId },
): Promise<{ ok: true } | Refusal<PairRefusal | PipelineRefusal>> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  const message =
    (await findAccess(context.read, me, other)) === 'matched' && (await findMessage(context.read, me, other, upTo))
  if (!message) return { ok: false, reason: 'unknown-message' }
  const command = { type: 'MarkRead' as const, by: me, other, upTo, number: message.number, at: context.now() }
  const commandId = uuidFrom('read', me, other, message.number)
  const outcome = await send(context, { me, commandId }, pairDecider, command)
  return !outcome.ok && outcome.reason === 'not-matched' ? { ok: false, reason: 'unknown-message' } : outcome
}

import { pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId, MessageId } from '../../domain/shared/ids.ts'
import { findAccess } from '../../projections/access.ts'
import { findMessage } from '../../projections/conversations/queries.ts'
import type { RequestContext } from '../lib/context.server.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { act, type PipelineRefusal, type Refusal, slowDown } from './act.server.ts'

/** Everything up to this message of the room is read (api-contract N6); reading twice changes nothing. */
export async function markRead(
  context: RequestContext,
  me: MemberId,
  { other, upTo }: { other: MemberId; upTo: MessageId },
): Promise<{ ok: true } | Refusal<'unknown-message' | PipelineRefusal>> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  const message = (await findAccess(context.read, me, other)) === 'matched' && (await findMessage(context.read, me, other, upTo))
  if (!message) return { ok: false, reason: 'unknown-message' }
  const command = { type: 'MarkRead' as const, by: me, other, upTo, number: message.number, at: context.now() }
  const outcome = await context.dispatch(pairDecider, command, act(context, me, uuidFrom('read', me, other, message.number)))
  if (outcome.ok) return { ok: true }
  const gone = outcome.reason === 'not-matched' || outcome.reason === 'unknown-message'
  return gone ? { ok: false, reason: 'unknown-message' } : (outcome as Refusal<PipelineRefusal>)
}

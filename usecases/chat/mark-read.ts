import { memberDecider } from '../../domain/identity/member.ts'
import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId, MessageId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { findMessage } from '../../projections/conversations/queries.ts'
import { findAccess } from '../../projections/view/access.ts'
import { type PipelineRefusal, send, slowDown } from '../act.ts'
import { type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Everything up to this message of the room is read (api-contract N6); reading twice changes nothing. */
export async function markRead(
  acting: Acting,
  { other, upTo }: { other: MemberId; upTo: MessageId },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { read, now, who } = acting
  const by = who.member
  const message = (await findAccess(read, by, other)) === 'matched' && (await findMessage(read, by, other, upTo))
  if (!message) return refused('unknown-message')
  const command = { type: 'MarkRead' as const, by, other, upTo, number: message.number, at: now() }
  const commandId = uuidFrom('read', by, other, message.number)
  const outcome = await send(acting, { commandId }, pairDecider, command)
  if (outcome.ok) return outcome
  // The id is sealed under the other's key, which an erasure may have destroyed a moment ago.
  const isGone = async () => (await acting.loadState(memberDecider, other)).status === 'gone'
  const isUnknown = outcome.reason === 'not-matched' || (outcome.reason === 'conflict' && (await isGone()))
  return isUnknown ? refused('unknown-message') : outcome
}

import type { InboxCommand } from '../../domain/inbox/commands.ts'
import { inboxDecider } from '../../domain/inbox/decider.ts'
import type { MemberId, NotificationId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { findNotification } from '../../projections/notifications/queries.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'
import type { Ports } from '../ports.ts'

type Touching = { notification: NotificationId; commandId: string }
export type InboxOutcome = { ok: true } | Refusal<'unknown' | PipelineRefusal>

/** Marks one of the member's own notifications read (api-contract C23). */
export function readNotification(context: Acting, me: MemberId, touching: Touching): Promise<InboxOutcome> {
  return touch(context, me, 'ReadNotification', touching)
}

/** Takes one of the member's own notifications away; quiet when it was before (api-contract C52). */
export async function removeNotification(
  context: Acting & Pick<Ports, 'loadState'>,
  me: MemberId,
  touching: Touching,
): Promise<InboxOutcome> {
  const outcome = await touch(context, me, 'RemoveNotification', touching)
  if (outcome.ok || outcome.reason !== 'unknown') return outcome
  const { removed } = await context.loadState(inboxDecider, me)
  return removed.has(touching.notification) ? { ok: true } : outcome
}

/** Marks read what the member saw: everything up to the position that the list was read at. */
export async function readAllNotifications(
  context: Acting,
  me: MemberId,
  { upTo, commandId }: { upTo: Position; commandId: string },
): Promise<InboxOutcome> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  const command = { type: 'ReadAllNotifications' as const, member: me, upTo, at: context.now() }
  return send(context, { me, commandId }, inboxDecider, command)
}

async function touch(
  context: Acting,
  me: MemberId,
  type: 'ReadNotification' | 'RemoveNotification',
  { notification, commandId }: Touching,
): Promise<InboxOutcome> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  if (!(await findNotification(context.read, me, notification))) return { ok: false, reason: 'unknown' }
  const command: InboxCommand = { type, member: me, notification, at: context.now() }
  return send(context, { me, commandId }, inboxDecider, command)
}

import { inboxDecider } from '../../domain/inbox/decider.ts'
import type { InboxCommand } from '../../domain/inbox/commands.ts'
import type { MemberId, NotificationId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { findNotification } from '../../projections/notifications/queries.ts'
import type { RequestContext } from '../lib/context.server.ts'
import { act, type PipelineRefusal, type Refusal, slowDown } from './act.server.ts'

type Touching = { notification: NotificationId; commandId: string }
export type InboxOutcome = { ok: true } | Refusal<'unknown' | PipelineRefusal>

/** Marks one of the member's own notifications read (api-contract C23). */
export function readNotification(context: RequestContext, me: MemberId, touching: Touching): Promise<InboxOutcome> {
  return touch(context, me, 'ReadNotification', touching)
}

/** Takes one of the member's own notifications away (api-contract C52). */
export function removeNotification(context: RequestContext, me: MemberId, touching: Touching): Promise<InboxOutcome> {
  return touch(context, me, 'RemoveNotification', touching)
}

/** Marks read what the member saw: everything up to the position that the list was read at. */
export async function readAllNotifications(
  context: RequestContext,
  me: MemberId,
  { upTo, commandId }: { upTo: Position; commandId: string },
): Promise<InboxOutcome> {
  const wait = await slowDown(context, 'WRITE', me)
  return wait ?? send(context, me, { type: 'ReadAllNotifications', member: me, upTo, at: context.now() }, commandId)
}

async function touch(
  context: RequestContext,
  me: MemberId,
  type: 'ReadNotification' | 'RemoveNotification',
  { notification, commandId }: Touching,
): Promise<InboxOutcome> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  if (!(await findNotification(context.read, me, notification))) return { ok: false, reason: 'unknown' }
  return send(context, me, { type, member: me, notification, at: context.now() }, commandId)
}

async function send(context: RequestContext, me: MemberId, command: InboxCommand, commandId: string): Promise<InboxOutcome> {
  return (await context.dispatch(inboxDecider, command, act(context, me, commandId))) as InboxOutcome
}

import { inboxDecider } from '../../domain/inbox/decider.ts'
import type { NotificationId } from '../../domain/shared/ids.ts'
import { findNotification } from '../../projections/notifications/queries.ts'
import { type PipelineRefusal, send, slowDown } from '../act.ts'
import { type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Marks one of the member's own notifications read (api-contract C23). */
export async function readNotification(
  acting: Acting,
  { notification, commandId }: { notification: NotificationId; commandId: string },
): Promise<Outcome<unknown, 'unknown' | PipelineRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { member } = acting.who
  if (!(await findNotification(acting.read, member, notification))) return refused('unknown')
  const command = { type: 'ReadNotification' as const, member, notification, at: acting.now() }
  return send(acting, { commandId }, inboxDecider, command)
}

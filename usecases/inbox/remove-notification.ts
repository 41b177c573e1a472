import { hasId, inboxDecider } from '../../domain/inbox/decider.ts'
import type { NotificationId } from '../../domain/shared/ids.ts'
import { findNotification } from '../../projections/notifications/queries.ts'
import { type PipelineRefusal, send, slowDown } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Takes one of the member's own notifications away; quiet when it was before (api-contract C52). */
export async function removeNotification(
  acting: Acting,
  { notification, commandId }: { notification: NotificationId; commandId: string },
): Promise<Outcome<unknown, 'unknown' | PipelineRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { member } = acting.who
  if (!(await findNotification(acting.read, member, notification))) {
    const { removed } = await acting.loadState(inboxDecider, member)
    return hasId(removed, notification) ? done(null) : refused('unknown')
  }
  const command = { type: 'RemoveNotification' as const, member, notification, at: acting.now() }
  return send(acting, { commandId }, inboxDecider, command)
}

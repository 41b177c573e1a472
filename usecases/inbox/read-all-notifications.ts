import { inboxDecider } from '../../domain/inbox/decider.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { listUnread } from '../../projections/notifications/queries.ts'
import { type PipelineRefusal, send, slowDown } from '../act.ts'
import type { Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Marks read what the member saw: what is unread up to the position that the list was read at. */
export async function readAllNotifications(
  acting: Acting,
  { upTo, commandId }: { upTo: Position; commandId: string },
): Promise<Outcome<unknown, PipelineRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { member } = acting.who
  const notifications = await listUnread(acting.read, member, upTo)
  const command = { type: 'ReadAllNotifications' as const, member, upTo, notifications, at: acting.now() }
  return send(acting, { commandId }, inboxDecider, command)
}

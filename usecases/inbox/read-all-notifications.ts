import { inboxDecider } from '../../domain/inbox/decider.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { unreadUpTo } from '../../projections/notifications/queries.ts'
import { type PipelineRefusal, send, slowDown } from '../act.ts'
import { done, type Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/**
 * Marks read what the member saw: what is unread up to the position that the list was read at, however many, by events that each
 * name some of them. A form that comes again names what is unread still.
 */
export async function readAllNotifications(
  acting: Acting,
  { upTo, commandId }: { upTo: Position; commandId: string },
): Promise<Outcome<unknown, PipelineRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { member } = acting.who
  for await (const part of unreadUpTo(acting.read, member, upTo)) {
    const notifications = part.map(({ id }) => id)
    const command = {
      type: 'ReadAllNotifications' as const,
      member,
      upTo: part[part.length - 1]!.position,
      notifications,
      at: acting.now(),
    }
    const sending = { commandId: uuidFrom(commandId, ...notifications), same: { upTo } }
    const outcome = await send(acting, sending, inboxDecider, command)
    if (!outcome.ok) return outcome
  }
  return done({})
}

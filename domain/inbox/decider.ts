import { z } from 'zod'
import { accept, type Decider, type Decision } from '../shared/decider.ts'
import { Position, START } from '../shared/recorded.ts'
import type { InboxCommand } from './commands.ts'
import type { InboxEvent } from './events.ts'

/** What the member did with single notifications since the last "read all"; that they exist follows from other events. */
export type Inbox = {
  readonly readUpTo: Position
  readonly read: Ids
  readonly removed: Ids
}
/** Newest first: adding one costs the same however many there are, as a copied set does not. */
type Ids = { readonly id: string; readonly before: Ids } | null

/** Whether it is among them. */
export function hasId(ids: Ids, id: string): boolean {
  for (let one = ids; one; one = one.before) if (one.id === id) return true
  return false
}

/** Newest first, as JSON has them: nested objects as many as there are ids could not be written. */
function listOf(ids: Ids): string[] {
  const list: string[] = []
  for (let one = ids; one; one = one.before) list.push(one.id)
  return list
}
const idsOf = (list: readonly string[]): Ids => list.reduceRight<Ids>((before, id) => ({ id, before }), null)

const Packed = z.object({ readUpTo: Position, read: z.array(z.string()), removed: z.array(z.string()) })

function unpack(packed: unknown): Inbox {
  const { readUpTo, read, removed } = Packed.parse(packed)
  return { readUpTo, read: idsOf(read), removed: idsOf(removed) }
}

const untouched: Inbox = { readUpTo: START, read: null, removed: null }

function evolve(inbox: Inbox, event: InboxEvent): Inbox {
  switch (event.type) {
    case 'NotificationRead':
      return { ...inbox, read: { id: event.notification, before: inbox.read } }
    case 'AllNotificationsRead':
      return { ...inbox, readUpTo: event.upTo, read: null }
    case 'NotificationRemoved':
      return { ...inbox, removed: { id: event.notification, before: inbox.removed } }
  }
}

function decide(command: InboxCommand, inbox: Inbox): Decision<InboxEvent, never> {
  const { member, at } = command
  switch (command.type) {
    case 'ReadNotification': {
      const { notification } = command
      const known = hasId(inbox.read, notification) || hasId(inbox.removed, notification)
      return known ? accept() : accept({ type: 'NotificationRead', member, notification, at })
    }
    case 'ReadAllNotifications': {
      const { upTo, notifications } = command
      // A position is compared with none that the stream has: it may be of another log.
      return notifications.length === 0
        ? accept()
        : accept({ type: 'AllNotificationsRead', member, upTo, notifications, at })
    }
    case 'RemoveNotification': {
      const { notification } = command
      return hasId(inbox.removed, notification)
        ? accept()
        : accept({ type: 'NotificationRemoved', member, notification, at })
    }
  }
}

/** A member's notifications centre. The caller has checked that the notification is the member's own. */
export const inboxDecider: Decider<InboxCommand, InboxEvent, Inbox, never> = {
  category: 'inbox',
  streamId: (command) => command.member,
  initial: untouched,
  evolve,
  decide,
  impersonal: true,
  snapshot: {
    version: 1,
    pack: ({ readUpTo, read, removed }) => ({ readUpTo, read: listOf(read), removed: listOf(removed) }),
    unpack,
  },
}

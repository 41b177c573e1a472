import { accept, type Decider, type Decision } from '../shared/decider.ts'
import { type Position, START } from '../shared/recorded.ts'
import type { InboxCommand } from './commands.ts'
import type { InboxEvent } from './events.ts'

/** What the member did with single notifications since the last "read all"; that they exist follows from other events. */
export type Inbox = {
  readonly readUpTo: Position
  readonly read: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
}

const untouched: Inbox = { readUpTo: START, read: new Set(), removed: new Set() }

function evolve(inbox: Inbox, event: InboxEvent): Inbox {
  switch (event.type) {
    case 'NotificationRead':
      return { ...inbox, read: new Set(inbox.read).add(event.notification) }
    case 'AllNotificationsRead':
      return { ...inbox, readUpTo: event.upTo, read: new Set() }
    case 'NotificationRemoved':
      return { ...inbox, removed: new Set(inbox.removed).add(event.notification) }
  }
}

function decide(command: InboxCommand, inbox: Inbox): Decision<InboxEvent, never> {
  const { member, at } = command
  switch (command.type) {
    case 'ReadNotification': {
      const { notification } = command
      const known = inbox.read.has(notification) || inbox.removed.has(notification)
      return known ? accept() : accept({ type: 'NotificationRead', member, notification, at })
    }
    case 'ReadAllNotifications': {
      const { upTo } = command
      return upTo <= inbox.readUpTo ? accept() : accept({ type: 'AllNotificationsRead', member, upTo, at })
    }
    case 'RemoveNotification': {
      const { notification } = command
      return inbox.removed.has(notification)
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
}

import type { RecordedEvent } from '../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { wordsOf } from '../../projections/notifications/queries.ts'
import type { NotificationRow } from '../../projections/notifications/table.ts'
import type { Names, Push } from './push.ts'

type Kind = Pick<NotificationRow, 'type' | 'subtype'>

/** The row that the event adds to a member's notifications centre, under the id that the read model gives it. */
export function newsOf(
  event: RecordedEvent<'Buzzed' | 'Matched'>,
  kind: Kind,
  { to, from, read = false }: { to: MemberId; from: MemberId; read?: boolean },
  names: Names,
): Push<'notification'> {
  const id = idFrom(event.id, to)
  return {
    to: [to],
    name: 'notification',
    id,
    data: {
      id,
      type: kind.type,
      ...(kind.subtype && { subtype: kind.subtype }),
      message: wordsOf(kind, names.get(from) ?? 'Someone'),
      read,
      createdAt: event.at.toISOString(),
      href: `/viewprofile/${from}`,
      fromId: from,
    },
    about: { pair: pairIdOf(to, from), needs: 'unblocked' },
  }
}

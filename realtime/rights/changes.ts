import type { RecordedEvent } from '../../domain/all-events.ts'
import { type MemberId, type PairId, pairIdOf } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'

/** Events that change who may see what. */
export const RIGHTS_EVENTS = [
  'Matched',
  'Unmatched',
  'Blocked',
  'Unblocked',
  'MemberRegistered',
  'AccountDeactivated',
  'AccountReactivated',
  'AccountSuspended',
  'AccountReinstated',
  'AccountErased',
] as const
type RightsEvent = RecordedEvent<(typeof RIGHTS_EVENTS)[number]>
const rightsEvents: ReadonlySet<string> = new Set(RIGHTS_EVENTS)

/** What an event changes between two members: `blocked` by the first. */
export type PairChange = {
  readonly position: Position
  readonly kind: 'matched' | 'unmatched' | 'blocked' | 'unblocked'
  readonly one: MemberId
  readonly other: MemberId
}
/** What an event changes of an account: `out` is no longer active. */
export type AccountChange = {
  readonly position: Position
  readonly kind: 'out' | 'in' | 'erased'
  readonly one: MemberId
}
export type Change = PairChange | AccountChange

export const changesRights = (type: string): boolean => rightsEvents.has(type)
export const isRights = (event: RecordedEvent): event is RightsEvent => changesRights(event.type)

export function changeOf(event: RightsEvent): Change {
  const { position } = event
  switch (event.type) {
    case 'Matched':
      return { position, kind: 'matched', one: event.members[0], other: event.members[1] }
    case 'Unmatched':
      return { position, kind: 'unmatched', one: event.by, other: event.target }
    case 'Blocked':
      return { position, kind: 'blocked', one: event.by, other: event.target }
    case 'Unblocked':
      return { position, kind: 'unblocked', one: event.by, other: event.target }
    case 'MemberRegistered':
    case 'AccountReactivated':
    case 'AccountReinstated':
      return { position, kind: 'in', one: event.member }
    case 'AccountErased':
      return { position, kind: 'erased', one: event.member }
    case 'AccountDeactivated':
    case 'AccountSuspended':
      return { position, kind: 'out', one: event.member }
  }
}

/** The pair that an event of two members is about. */
export const pairOf = (event: { by: MemberId; target: MemberId }): PairId => pairIdOf(event.by, event.target)

import type { EventNamed, EventType } from '../../domain/all-events.ts'
import type { MemberEvent } from '../../domain/identity/events.ts'
import { statusAfter } from '../../domain/identity/member.ts'
import { aheadSince, type Change, fold, type Projection, patch, remove } from '../projection.ts'
import { type AccountRow, account } from './table.ts'

type Status = AccountRow['status']
type StatusEvent = Exclude<MemberEvent, { type: 'AccountErased' }>

/** The status after an event that leaves the account in being; the rule is the member's own fold. */
export function nextStatus(status: Status, event: StatusEvent): Status {
  return statusAfter(status, event) as Status
}

function registered({ member, demo, at }: EventNamed<'MemberRegistered'>): Change {
  return fold(
    account,
    { member },
    (row): AccountRow => ({
      member,
      demo,
      registered_at: at,
      started: row?.started ?? false,
      status: 'active',
    }),
  )
}

const moved = (event: StatusEvent): Change[] => [
  patch(account, { member: event.member }, (row) => ({ ...row, status: nextStatus(row.status, event) })),
]

/** Whatever of a member cannot be read, an account that is suspended or deactivated is so at once, and so is one that is back. */
export const MOVES = [
  'AccountDeactivated',
  'AccountReactivated',
  'AccountSuspended',
  'AccountReinstated',
] as const satisfies readonly EventType[]

/** Who has an account, and its status. */
export const accounts: Projection = {
  name: 'accounts',
  version: 2,
  ahead: aheadSince(2, MOVES),
  tables: [account],
  when: {
    MemberRegistered: (event) => [registered(event)],
    AccountDeactivated: moved,
    AccountReactivated: moved,
    AccountSuspended: moved,
    AccountReinstated: moved,
    AccountErased: ({ member }) => [remove(account, { member })],
    ProfileStarted: ({ member }) => [patch(account, { member }, (row) => ({ ...row, started: true }))],
  },
}

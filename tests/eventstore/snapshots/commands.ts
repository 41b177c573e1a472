import fc from 'fast-check'
import type { MemberCommand } from '../../../domain/identity/commands.ts'
import type { PairCommand } from '../../../domain/pair/commands.ts'
import { addMs } from '../../../domain/shared/dates.ts'
import { type MemberId, type MessageId, NotificationId, SessionId } from '../../../domain/shared/ids.ts'
import { idFrom } from '../../../eventstore/ids.ts'
import { positionAt } from '../../support/recorded.ts'
import { at } from './conversation.ts'

/** What somebody does as the n-th of all: a command, an older one again, or the loss of all snapshots. */
export type Step = {
  readonly make: number
  readonly first: boolean
  readonly back: number
  readonly what: 'new' | 'again' | 'drop'
}
export const step: fc.Arbitrary<Step> = fc.record({
  make: fc.nat(9_999),
  first: fc.boolean(),
  back: fc.nat(60),
  what: fc.oneof(
    { weight: 20, arbitrary: fc.constant('new' as const) },
    { weight: 6, arbitrary: fc.constant('again' as const) },
    { weight: 1, arbitrary: fc.constant('drop' as const) },
  ),
})
/** Of these commands, each as often as another, or `null` for so many of them. */
const oneOf = <C>(made: readonly C[], others: number, make: number): C | null =>
  made[make % (made.length + others)] ?? null
export const lives = fc.array(step, { minLength: 30, maxLength: 45 })
const later = (n: number) => addMs(at, n * 60_000_000)

/** What one of two people tries: each command of a pair has a line. */
export function pairCommand(
  { make, first, back }: Step,
  n: number,
  [ann, bea]: readonly [MemberId, MemberId],
): PairCommand {
  const [me, other] = first ? [ann, bea] : [bea, ann]
  const made: readonly PairCommand[] = [
    { type: 'Buzz', from: me, to: other, via: 'discover', at: later(n) },
    { type: 'Buzz', from: other, to: me, via: 'discover', at: later(n) },
    { type: 'WithdrawBuzz', from: me, to: other, at: later(n) },
    { type: 'Skip', by: me, target: other, at: later(n) },
    { type: 'UndoSkip', by: me, target: other, at: later(n) },
    { type: 'Unmatch', by: me, target: other, at: later(n) },
    { type: 'Unblock', by: me, target: other, at: later(n) },
    { type: back % 2 === 0 ? 'Block' : 'Unblock', by: me, target: other, at: later(n) },
    { type: 'MarkRead', by: me, other, upTo: 'm' as MessageId, number: (n % 9) + 1, at: later(n) },
  ]
  const send = {
    type: 'SendMessage',
    message: `m${n}` as MessageId,
    from: me,
    to: other,
    text: `canary ${n}`,
    media: null,
  } as const
  return oneOf(made, 4, make) ?? { ...send, at: later(n) }
}

/** What the first of them does with notifications. */
export function inboxCommand({ make, back }: Step, n: number, [owner]: readonly [MemberId, MemberId]) {
  const notification = NotificationId.parse(idFrom('notification', back))
  if (make % 3 === 2) {
    const all = { type: 'ReadAllNotifications' as const, member: owner, upTo: positionAt(n), at: later(n) }
    return { ...all, notifications: [notification] }
  }
  const type = make % 2 === 0 ? ('ReadNotification' as const) : ('RemoveNotification' as const)
  return { type, member: owner, notification, at: later(n) }
}

/** What becomes of an account: it begins with the first. */
export function memberCommand({ make, first, back }: Step, n: number, [member]: readonly [MemberId, MemberId]) {
  const on = { member, at: later(n) }
  const sessions = [SessionId.parse(idFrom('session', back))]
  const role = { role: back % 2 === 0 ? 'auditor' : 'developer', by: 'admin:canary', ...on } as const
  const made: readonly MemberCommand[] = [
    { type: 'Deactivate', ...on },
    { type: 'Reactivate', ...on },
    { type: 'Suspend', reason: `canary ${n}`, ...on },
    { type: 'Reinstate', ...on },
    { type: 'NotePasswordChange', how: first ? 'reset' : 'change', ...on },
    { type: 'NoteNewDevice', ...on },
    { type: 'NoteSecondFactor', how: first ? 'turned-on' : 'turned-off', ...on },
    { type: 'NoteRecoveryCode', left: back, ...on },
    { type: 'NoteRefusedCodes', ...on },
    { type: 'GrantRole', ...role },
    { type: 'RevokeRole', ...role },
  ]
  if (n === 0) return { type: 'Register', email: 'canary@example.com', termsVersion: '1', demo: false, ...on } as const
  return oneOf(made, 2, make) ?? ({ type: 'RevokeSessions', sessions, ...on } as const)
}

/** How an account ends, after which nothing becomes of it. */
export function memberEnd(n: number, member: MemberId): readonly MemberCommand[] {
  const erase = { type: 'EraseAccount', member, at: later(n) } as const
  const certify = { type: 'CertifyErasure', keyDestroyedAt: later(n + 1), places: 1, member, at: later(n + 1) } as const
  return [erase, certify]
}

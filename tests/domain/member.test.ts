import { describe, expect, test } from 'vitest'
import type { EmailCommand, MemberCommand } from '../../domain/identity/commands.ts'
import { emailDecider, RESERVATION_MS } from '../../domain/identity/email.ts'
import type { EmailEvent, MemberEvent } from '../../domain/identity/events.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { addMs } from '../../domain/shared/dates.ts'
import { AddressId, type SessionId } from '../../domain/shared/ids.ts'
import { given } from '../support/given.ts'
import { ann, bea, T0 } from '../support/people.ts'

const at = T0
const mine = { member: ann, at }
const past = (...types: MemberEvent['type'][]) =>
  given(memberDecider, ...types.map((type) => ({ type, ...mine }) as unknown as MemberEvent))
const event = (type: MemberEvent['type'], more = {}) => ({ type, ...mine, ...more }) as unknown as MemberEvent

describe('an account', () => {
  const register: MemberCommand = {
    type: 'Register',
    ...mine,
    email: 'ann@example.com',
    termsVersion: '1',
    demo: false,
  }
  test('is registered once', () => {
    past()
      .when(register)
      .then({ ...register, type: 'MemberRegistered' } as MemberEvent)
    past('MemberRegistered').when(register).thenRefused('already-registered')
    past('MemberRegistered', 'AccountErased').when(register).thenRefused('already-registered')
  })
  test('is deactivated once, and comes back', () => {
    past('MemberRegistered')
      .when({ type: 'Deactivate', ...mine })
      .then(event('AccountDeactivated'))
    past('MemberRegistered', 'AccountDeactivated')
      .when({ type: 'Deactivate', ...mine })
      .thenRefused('already')
    past('MemberRegistered', 'AccountDeactivated')
      .when({ type: 'Reactivate', ...mine })
      .then(event('AccountReactivated'))
    past('MemberRegistered')
      .when({ type: 'Reactivate', ...mine })
      .thenNothing()
  })
  test('stays suspended until it is reinstated, whatever the member does', () => {
    const suspended = past('MemberRegistered', 'AccountSuspended')
    suspended.when({ type: 'Deactivate', ...mine }).thenRefused('suspended')
    suspended.when({ type: 'Reactivate', ...mine }).thenRefused('suspended')
    suspended.when({ type: 'Suspend', ...mine, reason: 'x' }).thenRefused('already')
    suspended.when({ type: 'Reinstate', ...mine }).then(event('AccountReinstated'))
    past('MemberRegistered')
      .when({ type: 'Suspend', ...mine, reason: 'x' })
      .then(event('AccountSuspended', { reason: 'x' }))
    past('MemberRegistered')
      .when({ type: 'Reinstate', ...mine })
      .thenRefused('already')
  })
  test('comes back from a suspension as it went, and away until the member ends that', () => {
    const away = past('MemberRegistered', 'AccountDeactivated', 'AccountSuspended')
    away.when({ type: 'Reinstate', ...mine }).then(event('AccountReinstated'), event('AccountDeactivated'))
    past('MemberRegistered', 'AccountDeactivated', 'AccountReactivated', 'AccountSuspended')
      .when({ type: 'Reinstate', ...mine })
      .then(event('AccountReinstated'))
  })
  test('is erased from any state, and then for ever unknown', () => {
    for (const last of ['AccountDeactivated', 'AccountSuspended', 'MemberRegistered'] as const)
      past('MemberRegistered', last)
        .when({ type: 'EraseAccount', ...mine })
        .then(event('AccountErased'))
    const gone = past('MemberRegistered', 'AccountErased')
    for (const type of ['EraseAccount', 'Deactivate', 'Reactivate', 'Reinstate'] as const)
      gone.when({ type, ...mine }).thenRefused('unknown')
    past()
      .when({ type: 'Deactivate', ...mine })
      .thenRefused('unknown')
  })
  test('has its erasure certified once, and not before it is erased', () => {
    const certify: MemberCommand = { type: 'CertifyErasure', ...mine, keyDestroyedAt: at, places: 3 }
    past('MemberRegistered').when(certify).thenRefused('unknown')
    const certified = event('ErasureCertified', { keyDestroyedAt: at, places: 3 })
    past('MemberRegistered', 'AccountErased').when(certify).then(certified)
    const twice = past('MemberRegistered', 'AccountErased', 'ErasureCertified')
    twice.when(certify).thenNothing()
    expect(twice.state.status).toBe('gone')
  })
  test('notes passwords and ended sessions without changing where it stands', () => {
    const note: MemberCommand = { type: 'NotePasswordChange', ...mine, how: 'change' }
    past('MemberRegistered')
      .when(note)
      .then(event('PasswordChanged', { how: 'change' }))
    const revoke = (sessions: SessionId[]): MemberCommand => ({ type: 'RevokeSessions', ...mine, sessions })
    past('MemberRegistered')
      .when(revoke(['s' as SessionId]))
      .then(event('SessionsRevoked', { sessions: ['s'] }))
    past('MemberRegistered').when(revoke([])).thenNothing()
    past('MemberRegistered')
      .when({ type: 'NoteNewDevice', ...mine })
      .then(event('SignedInOnNewDevice'))
    past('MemberRegistered')
      .when({ type: 'NoteSecondFactor', ...mine, how: 'turned-off' })
      .then(event('SecondFactorChanged', { how: 'turned-off' }))
    past('MemberRegistered')
      .when({ type: 'NoteRecoveryCode', ...mine, left: 3 })
      .then(event('RecoveryCodeUsed', { left: 3 }))
    past('MemberRegistered')
      .when({ type: 'NoteRefusedCodes', ...mine })
      .then(event('SecondFactorRefused'))
    expect(past('MemberRegistered', 'AccountDeactivated', 'PasswordChanged').state.status).toBe('deactivated')
  })
})

describe('an address', () => {
  const address = AddressId.parse('a'.repeat(24))
  const until = addMs(at, RESERVATION_MS)
  const on = (type: EmailCommand['type'], member = ann, when = at): EmailCommand => ({
    type,
    address,
    member,
    at: when,
  })
  const fact = (type: EmailEvent['type'], more = {}) => ({ type, address, ...mine, ...more }) as EmailEvent
  const reserved = fact('EmailReserved', { until })
  const confirmed = fact('EmailConfirmed')
  test('is reserved for its first taker, quietly when asked again', () => {
    given(emailDecider).when(on('ReserveEmail')).then(reserved)
    given(emailDecider, reserved).when(on('ReserveEmail')).thenNothing()
    given(emailDecider, reserved).when(on('ReserveEmail', bea)).thenRefused('taken')
  })
  test('is free again when an unfinished sign-up ran out, to the millisecond', () => {
    given(emailDecider, reserved)
      .when(on('ReserveEmail', bea, addMs(until, -1)))
      .thenRefused('taken')
    const taken = given(emailDecider, reserved).when(on('ReserveEmail', bea, until))
    expect(taken.decision).toMatchObject({ ok: true, events: [{ type: 'EmailReserved', member: bea }] })
  })
  test('is confirmed by its holder alone, and then no longer runs out', () => {
    given(emailDecider, reserved).when(on('ConfirmEmail')).then(confirmed)
    given(emailDecider, reserved).when(on('ConfirmEmail', bea)).thenRefused('not-reserved')
    given(emailDecider, reserved, confirmed).when(on('ConfirmEmail')).thenNothing()
    given(emailDecider, reserved, confirmed)
      .when(on('ReserveEmail', bea, addMs(until, 1e12)))
      .thenRefused('taken')
  })
  test('of a reservation alone is free once that is cancelled, and nobody confirms it any more', () => {
    given(emailDecider, reserved).when(on('CancelReservation')).then(fact('EmailReleased'))
    given(emailDecider, reserved).when(on('CancelReservation', bea)).thenNothing()
    given(emailDecider, reserved, confirmed).when(on('CancelReservation')).thenRefused('confirmed')
    given(emailDecider, reserved, confirmed).when(on('CancelReservation', bea)).thenNothing()
    given(emailDecider, reserved, fact('EmailReleased')).when(on('ConfirmEmail')).thenRefused('not-reserved')
  })
  test('is released by its holder, and by nobody else', () => {
    given(emailDecider, reserved, confirmed).when(on('ReleaseEmail')).then(fact('EmailReleased'))
    given(emailDecider, reserved, confirmed).when(on('ReleaseEmail', bea)).thenNothing()
    given(emailDecider, reserved, confirmed, fact('EmailReleased')).when(on('ReleaseEmail')).thenNothing()
  })
  test('has an id that is over once it is released, also one that nobody had used', () => {
    const over = given(emailDecider, reserved, confirmed, fact('EmailReleased'))
    for (const member of [ann, bea]) over.when(on('ReserveEmail', member)).thenRefused('released')
    given(emailDecider).when(on('CancelReservation')).then(fact('EmailReleased'))
    given(emailDecider).when(on('ReleaseEmail')).then(fact('EmailReleased'))
    given(emailDecider, fact('EmailReleased')).when(on('ReserveEmail')).thenRefused('released')
    given(emailDecider, fact('EmailReleased')).when(on('CancelReservation')).thenNothing()
  })
  test('of before there were ids stays with whoever reserved it anew on the stream of its hash', () => {
    const again = given(emailDecider, reserved, fact('EmailReleased'), { ...reserved, member: bea } as EmailEvent)
    again.when(on('ReserveEmail', bea)).thenNothing()
    again.when(on('ReleaseEmail', bea)).then({ ...fact('EmailReleased'), member: bea } as EmailEvent)
  })
})

import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import type { MemberId } from '../shared/ids.ts'
import type { MemberCommand } from './commands.ts'
import type { MemberEvent } from './events.ts'
import { type AccountStatus, type Member, memberSnapshot } from './member-state.ts'
import type { Role } from './roles.ts'

export type { AccountStatus, Member }
export type MemberRefusal = 'already-registered' | 'unknown' | 'suspended' | 'already'
type Verdict = Decision<MemberEvent, MemberRefusal>

/** The status after an event; the read model uses it too. */
export function statusAfter(status: AccountStatus, event: MemberEvent): AccountStatus {
  switch (event.type) {
    case 'MemberRegistered':
    case 'AccountReactivated':
    case 'AccountReinstated':
      return 'active'
    case 'AccountDeactivated':
      return 'deactivated'
    case 'AccountSuspended':
      return 'suspended'
    case 'AccountErased':
    case 'ErasureCertified':
      return 'gone'
    case 'PasswordChanged':
    case 'SessionsRevoked':
    case 'SignedInOnNewDevice':
    case 'SecondFactorChanged':
    case 'RecoveryCodeUsed':
    case 'SecondFactorRefused':
    case 'RoleGranted':
    case 'RoleRevoked':
      return status
  }
}

/** Roles end with the account. */
function rolesAfter(roles: readonly Role[], event: MemberEvent): readonly Role[] {
  switch (event.type) {
    case 'RoleGranted':
      return [...roles.filter((role) => role !== event.role), event.role].sort()
    case 'RoleRevoked':
      return roles.filter((role) => role !== event.role)
    case 'AccountErased':
      return []
    default:
      return roles
  }
}

/** Quiet when the member has the role already, or has it not. */
function changeRole(
  command: Extract<MemberCommand, { type: 'GrantRole' | 'RevokeRole' }>,
  roles: readonly Role[],
): Verdict {
  const { type, ...facts } = command
  const wanted = type === 'GrantRole'
  if (roles.includes(command.role) === wanted) return accept()
  return accept({ type: wanted ? 'RoleGranted' : 'RoleRevoked', ...facts })
}

/** Who was away before is so again: only the member ends that (ruling R25). */
function reinstate(member: MemberId, at: Date, { status, wasDeactivated }: Member): Verdict {
  if (status !== 'suspended') return refuse('already')
  const back: MemberEvent = { type: 'AccountReinstated', member, at }
  const away: MemberEvent = { type: 'AccountDeactivated', member, at }
  return accept<MemberEvent>(...(wasDeactivated ? [back, away] : [back]))
}

function decide(command: MemberCommand, state: Member): Verdict {
  const { status, certified, roles } = state
  const { member, at } = command
  if (command.type === 'Register') {
    const { type: _type, ...facts } = command
    return status === 'none' ? accept({ type: 'MemberRegistered', ...facts }) : refuse('already-registered')
  }
  if (command.type === 'CertifyErasure') {
    const { type: _type, ...facts } = command
    if (status !== 'gone') return refuse('unknown')
    return certified ? accept() : accept({ type: 'ErasureCertified', ...facts })
  }
  if (status === 'none' || status === 'gone') return refuse('unknown')
  switch (command.type) {
    case 'Deactivate':
      if (status === 'suspended') return refuse('suspended')
      return status === 'deactivated' ? refuse('already') : accept({ type: 'AccountDeactivated', member, at })
    case 'Reactivate':
      if (status === 'suspended') return refuse('suspended')
      return status === 'active' ? accept() : accept({ type: 'AccountReactivated', member, at })
    case 'Suspend':
      if (status === 'suspended') return refuse('already')
      return accept({ type: 'AccountSuspended', member, reason: command.reason, at })
    case 'Reinstate':
      return reinstate(member, at, state)
    case 'EraseAccount':
      return accept({ type: 'AccountErased', member, at })
    case 'NotePasswordChange':
      return accept({ type: 'PasswordChanged', member, how: command.how, at })
    case 'RevokeSessions':
      if (command.sessions.length === 0) return accept()
      return accept({ type: 'SessionsRevoked', member, sessions: command.sessions, at })
    case 'NoteNewDevice':
      return accept({ type: 'SignedInOnNewDevice', member, at })
    case 'NoteSecondFactor':
      return accept({ type: 'SecondFactorChanged', member, how: command.how, at })
    case 'NoteRecoveryCode':
      return accept({ type: 'RecoveryCodeUsed', member, left: command.left, at })
    case 'NoteRefusedCodes':
      return accept({ type: 'SecondFactorRefused', member, at })
    case 'GrantRole':
    case 'RevokeRole':
      return changeRole(command, roles)
  }
}

/** A member's account, from registration to erasure. */
export const memberDecider: Decider<MemberCommand, MemberEvent, Member, MemberRefusal> = {
  category: 'member',
  streamId: (command) => command.member,
  initial: { status: 'none', wasDeactivated: false, erasedAt: null, certified: false, roles: [] },
  evolve: (state, event) => ({
    status: statusAfter(state.status, event),
    wasDeactivated: event.type === 'AccountSuspended' ? state.status === 'deactivated' : state.wasDeactivated,
    erasedAt: event.type === 'AccountErased' ? event.at : state.erasedAt,
    certified: state.certified || event.type === 'ErasureCertified',
    roles: rolesAfter(state.roles, event),
  }),
  decide,
  ignores: [
    'PasswordChanged',
    'SessionsRevoked',
    'SignedInOnNewDevice',
    'SecondFactorChanged',
    'RecoveryCodeUsed',
    'SecondFactorRefused',
  ],
  impersonal: true,
  snapshot: memberSnapshot,
}

import { accept, type Decider, type Decision, refuse } from '../shared/decider.ts'
import type { MemberCommand } from './commands.ts'
import type { MemberEvent } from './events.ts'

/** `none`: never registered. `gone`: erased, for ever. */
export type AccountStatus = 'none' | 'active' | 'deactivated' | 'suspended' | 'gone'
type Member = { readonly status: AccountStatus }
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
      return 'gone'
    case 'PasswordChanged':
    case 'SessionsRevoked':
      return status
  }
}

function decide(command: MemberCommand, { status }: Member): Verdict {
  const { member, at } = command
  if (command.type === 'Register') {
    const { type: _type, ...facts } = command
    return status === 'none' ? accept({ type: 'MemberRegistered', ...facts }) : refuse('already-registered')
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
      return status === 'suspended' ? accept({ type: 'AccountReinstated', member, at }) : refuse('already')
    case 'EraseAccount':
      return accept({ type: 'AccountErased', member, at })
    case 'NotePasswordChange':
      return accept({ type: 'PasswordChanged', member, how: command.how, at })
    case 'RevokeSessions':
      if (command.sessions.length === 0) return accept()
      return accept({ type: 'SessionsRevoked', member, sessions: command.sessions, at })
  }
}

/** A member's account, from registration to erasure. */
export const memberDecider: Decider<MemberCommand, MemberEvent, Member, MemberRefusal> = {
  category: 'member',
  streamId: (command) => command.member,
  initial: { status: 'none' },
  evolve: (state, event) => ({ status: statusAfter(state.status, event) }),
  decide,
}

// These names and fields are the storage format; add, never change.
import { z } from 'zod'
import { at, defineEvent, type EventOf, type Upcaster } from '../shared/event.ts'
import { AddressId, MemberId, SessionId } from '../shared/ids.ts'
import { personal } from '../shared/personal.ts'
import { Role } from './roles.ts'

const until = z.coerce.date()
const byHash = { emailKey: z.string(), member: MemberId }
const byId = { address: AddressId, member: MemberId }
/** The id of an address that had none is the keyed hash that its stream is named by (decision 0023). */
const hashAsId: Upcaster = ({ emailKey, ...fields }) => ({ ...fields, address: emailKey })

/** Someone is signing up with this address; another may try again after `until` unless it is confirmed. */
export const EmailReserved = defineEvent(
  'EmailReserved',
  [z.object({ ...byHash, until, at }), z.object({ ...byId, until, at })],
  [hashAsId],
)
export const EmailConfirmed = defineEvent(
  'EmailConfirmed',
  [z.object({ ...byHash, at }), z.object({ ...byId, at })],
  [hashAsId],
)
/** Nobody has the address under this id any more, nor will: whoever comes next gets it under another. */
export const EmailReleased = defineEvent(
  'EmailReleased',
  [z.object({ ...byHash, at }), z.object({ ...byId, at })],
  [hashAsId],
)

export const emailEvents = [EmailReserved, EmailConfirmed, EmailReleased] as const
export type EmailEvent = EventOf<(typeof emailEvents)[number]>

export const MemberRegistered = defineEvent('MemberRegistered', [
  z.object({
    member: MemberId,
    email: personal('member', z.string()),
    termsVersion: z.string(),
    /** A synthetic member of the demo world. */
    demo: z.boolean(),
    at,
  }),
])
export const AccountDeactivated = defineEvent('AccountDeactivated', [z.object({ member: MemberId, at })])
export const AccountReactivated = defineEvent('AccountReactivated', [z.object({ member: MemberId, at })])
export const AccountSuspended = defineEvent('AccountSuspended', [
  z.object({ member: MemberId, reason: personal('member', z.string()), at }),
])
export const AccountReinstated = defineEvent('AccountReinstated', [z.object({ member: MemberId, at })])
/** The member's key is destroyed: no field of theirs can be read again (ruling R26). */
export const AccountErased = defineEvent('AccountErased', [z.object({ member: MemberId, at })])
/**
 * The erasure came to its end: the key was destroyed then, and of the `places` that were checked none contained
 * anything of the member's any more (decision 0008).
 */
export const ErasureCertified = defineEvent('ErasureCertified', [
  z.object({ member: MemberId, keyDestroyedAt: z.coerce.date(), places: z.number().int(), at }),
])
export const PasswordChanged = defineEvent('PasswordChanged', [
  z.object({ member: MemberId, how: z.enum(['reset', 'change']), at }),
])
/** These sessions of the member ended; sockets on them close within the second (security §3.2). */
export const SessionsRevoked = defineEvent('SessionsRevoked', [
  z.object({ member: MemberId, sessions: z.array(SessionId), at }),
])
/** With the right password, from a browser that had never signed in to this account (security T11). Not from which. */
export const SignedInOnNewDevice = defineEvent('SignedInOnNewDevice', [z.object({ member: MemberId, at })])

/** How the account is guarded beside its password (ruling R37). */
export const SecondFactorChanged = defineEvent('SecondFactorChanged', [
  z.object({ member: MemberId, how: z.enum(['turned-on', 'turned-off', 'codes-renewed']), at }),
])
/** A recovery code took the place of the app's code; so many are `left`. */
export const RecoveryCodeUsed = defineEvent('RecoveryCodeUsed', [
  z.object({ member: MemberId, left: z.number().int(), at }),
])

/** The right password, and then no code but wrong ones: somebody else may know the password (ASVS 6.3.5). */
export const SecondFactorRefused = defineEvent('SecondFactorRefused', [z.object({ member: MemberId, at })])

const roleFact = { member: MemberId, role: Role, by: z.string(), at }
/** `by` is the actor who gave it: an operator at a terminal, never a page. */
export const RoleGranted = defineEvent('RoleGranted', [z.object(roleFact)])
/** From this event on the member may open nothing of the role. */
export const RoleRevoked = defineEvent('RoleRevoked', [z.object(roleFact)])

export const memberEvents = [
  MemberRegistered,
  AccountDeactivated,
  AccountReactivated,
  AccountSuspended,
  AccountReinstated,
  AccountErased,
  ErasureCertified,
  PasswordChanged,
  SessionsRevoked,
  SignedInOnNewDevice,
  SecondFactorChanged,
  RecoveryCodeUsed,
  SecondFactorRefused,
  RoleGranted,
  RoleRevoked,
] as const
export type MemberEvent = EventOf<(typeof memberEvents)[number]>

import { z } from 'zod'
import { AddressId, MemberId, SessionId } from '../shared/ids.ts'
import { words } from '../shared/text.ts'
import { Role } from './roles.ts'

const at = z.date()
const ofAddress = { address: AddressId, member: MemberId, at }

export const ReserveEmail = z.object({ type: z.literal('ReserveEmail'), ...ofAddress })
export const ConfirmEmail = z.object({ type: z.literal('ConfirmEmail'), ...ofAddress })
export const ReleaseEmail = z.object({ type: z.literal('ReleaseEmail'), ...ofAddress })
export const CancelReservation = z.object({ type: z.literal('CancelReservation'), ...ofAddress })
export const EmailCommand = z.discriminatedUnion('type', [ReserveEmail, ConfirmEmail, ReleaseEmail, CancelReservation])
export type EmailCommand = z.infer<typeof EmailCommand>

export const Register = z.object({
  type: z.literal('Register'),
  member: MemberId,
  email: z.email().max(254),
  termsVersion: z.string(),
  demo: z.boolean(),
  at,
})
const on = <T extends string>(type: T) => z.object({ type: z.literal(type), member: MemberId, at })
export const Deactivate = on('Deactivate')
export const Reactivate = on('Reactivate')
export const Suspend = z.object({ type: z.literal('Suspend'), member: MemberId, reason: words(1000), at })
export const Reinstate = on('Reinstate')
export const EraseAccount = on('EraseAccount')
export const CertifyErasure = z.object({
  type: z.literal('CertifyErasure'),
  member: MemberId,
  keyDestroyedAt: z.date(),
  places: z.number().int().min(1),
  at,
})
export const NotePasswordChange = z.object({
  type: z.literal('NotePasswordChange'),
  member: MemberId,
  how: z.enum(['reset', 'change']),
  at,
})
export const RevokeSessions = z.object({
  type: z.literal('RevokeSessions'),
  member: MemberId,
  sessions: z.array(SessionId),
  at,
})
export const NoteNewDevice = z.object({ type: z.literal('NoteNewDevice'), member: MemberId, at })
export const NoteSecondFactor = z.object({
  type: z.literal('NoteSecondFactor'),
  member: MemberId,
  how: z.enum(['turned-on', 'turned-off', 'codes-renewed']),
  at,
})
export const NoteRecoveryCode = z.object({
  type: z.literal('NoteRecoveryCode'),
  member: MemberId,
  left: z.number().int().min(0),
  at,
})
export const NoteRefusedCodes = on('NoteRefusedCodes')
const ofRole = <T extends string>(type: T) =>
  z.object({ type: z.literal(type), member: MemberId, role: Role, by: z.string(), at })
export const GrantRole = ofRole('GrantRole')
export const RevokeRole = ofRole('RevokeRole')

export const MemberCommand = z.discriminatedUnion('type', [
  Register,
  Deactivate,
  Reactivate,
  Suspend,
  Reinstate,
  EraseAccount,
  CertifyErasure,
  NotePasswordChange,
  RevokeSessions,
  NoteNewDevice,
  NoteSecondFactor,
  NoteRecoveryCode,
  NoteRefusedCodes,
  GrantRole,
  RevokeRole,
])
export type MemberCommand = z.infer<typeof MemberCommand>

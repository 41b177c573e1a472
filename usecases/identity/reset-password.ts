import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { PasswordRefusal } from '../../services/password-policy.ts'
import { done, type Outcome, type Refused, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { parseEmail, SIX_DIGITS } from './email-address.ts'
import { noteEndedSessions } from './note-ended-sessions.ts'

/** Address and code of the mail, or the token of its link. `confirm` is compared when the caller has one. */
export type ResetInput = {
  email?: string | undefined
  code?: string | undefined
  link?: string | undefined
  newPassword: string
  confirm?: string
}
type Unfit = 'passwords-differ' | 'outer-spaces' | PasswordRefusal
export type ResetRefusal = Unfit | 'invalid-code'

/** Sets a new password and ends every session (api-contract C03). Does not sign in. */
export async function resetPassword(ports: Ports, input: ResetInput): Promise<Outcome<null, ResetRefusal>> {
  const email = parseEmail(input.email ?? '')
  const password = input.newPassword
  const unfit = await unfitness(ports, email, password, input.confirm)
  if (unfit) return unfit
  const emailKey = await provenAddress(ports, email, input)
  if (!emailKey) return refused('invalid-code')
  const passwordHash = await ports.passwords.hash(password)
  const credential = await ports.credentials.findByKey(emailKey)
  if (!credential) return refused('invalid-code')
  const { member } = credential
  await ports.credentials.changePassword(member, passwordHash)
  const ended = await ports.sessions.revokeAll(member)
  const noted = { type: 'NotePasswordChange', member, how: 'reset', at: ports.now() } as const
  await ports.dispatch(memberDecider, noted, { commandId: randomUUID(), actor: member })
  await noteEndedSessions(ports, member, ended)
  await ports.loginGuard.clear(emailKey)
  return done(null)
}

/** The spec compares the two after trimming; what is stored is what was sent, so outer spaces are refused. */
async function unfitness(
  ports: Ports,
  email: string | null,
  password: string,
  confirm: string | undefined,
): Promise<Refused<Unfit> | null> {
  if (confirm !== undefined && confirm.trim() !== password.trim()) return refused('passwords-differ')
  if (password !== password.trim()) return refused('outer-spaces')
  const verdict = await ports.checkPassword(password, email ? { email } : {})
  return verdict.ok ? null : refused(verdict.reason)
}

/** The key of the address whose mail was read, or null. Uses the code or the link up. */
async function provenAddress(ports: Ports, email: string | null, { code, link }: ResetInput): Promise<string | null> {
  if (link) return ports.codes.verifyLink('reset', link)
  const digits = code?.trim() ?? ''
  if (!email || !SIX_DIGITS.test(digits)) return null
  const emailKey = ports.credentials.emailKey(email)
  return (await ports.codes.verify('reset', emailKey, digits)) === 'ok' ? emailKey : null
}

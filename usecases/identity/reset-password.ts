import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import { findAddress } from '../../projections/profiles/queries.ts'
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

/**
 * Sets a new password and ends every session (api-contract C03). Does not sign in. The password is compared with the names
 * and the member's address only beside a right code or link, so that nobody learns them by trying passwords; a refused one
 * leaves the code as it was.
 */
export async function resetPassword(ports: Ports, input: ResetInput): Promise<Outcome<null, ResetRefusal>> {
  const email = parseEmail(input.email ?? '')
  const password = input.newPassword
  const unfit = await unfitness(ports, email, password, input.confirm)
  if (unfit) return unfit
  const proven = await provenAddress(ports, email, input)
  const credential = proven && (await ports.credentials.findByKey(proven.emailKey))
  if (!credential) return refused('invalid-code')
  const { member, emailKey } = credential
  const { firstName, lastName } = await ports.loadState(profileDecider, member)
  const address = await findAddress(ports.read, member)
  const personal = await ports.checkPassword(password, { firstName, lastName, ...(address && { email: address }) })
  if (!personal.ok) return refused(personal.reason)
  const passwordHash = await ports.passwords.hash(password)
  if (!(await proven.use())) return refused('invalid-code')
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

/** The key of the address whose mail was read, with the way to use its code or link up, once; or null. */
type Proven = { emailKey: string; use(): Promise<boolean> }

async function provenAddress(
  { codes, credentials }: Ports,
  email: string | null,
  { code, link }: ResetInput,
): Promise<Proven | null> {
  if (link) {
    const emailKey = await codes.peekLink('reset', link)
    return emailKey ? { emailKey, use: async () => (await codes.verifyLink('reset', link)) === emailKey } : null
  }
  const digits = code?.trim() ?? ''
  if (!email || !SIX_DIGITS.test(digits)) return null
  const emailKey = credentials.emailKey(email)
  if ((await codes.peek('reset', emailKey, digits)) !== 'ok') return null
  return { emailKey, use: async () => (await codes.verify('reset', emailKey, digits)) === 'ok' }
}

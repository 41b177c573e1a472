import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import { type Answer, done, type Refusal, refused } from '../answer.ts'
import type { Ports } from '../ports.ts'
import { passwordSentence } from '../register/rules.ts'
import { parseEmail, SIX_DIGITS, typed } from './email-address.ts'
import { noteEndedSessions } from './log-out.ts'
import { INVALID_CODE } from './verify-code.ts'

/** Address and code of the mail, or the token of its link. `confirm` is compared when the caller has one. */
export type ResetInput = { email?: unknown; code?: unknown; link?: unknown; newPassword?: unknown; confirm?: unknown }

const PASSWORDS_DIFFER = 'Passwords do not match.'
const OUTER_SPACES = 'A password cannot start or end with a space.'
const RESET = 'Password reset successful! Please login.'

/** Sets a new password and ends every session (api-contract C03). Does not sign in. */
export async function resetPassword(context: Ports, input: ResetInput): Promise<Answer<{ message: string }>> {
  const email = parseEmail(input.email)
  const password = typed(input.newPassword)
  const unfit = await unfitness(context, email, password, input.confirm)
  if (unfit) return unfit
  const emailKey = await provenAddress(context, email, input)
  if (!emailKey) return refused(400, INVALID_CODE, { fields: { code: INVALID_CODE } })
  const passwordHash = await context.passwords.hash(password)
  const credential = await context.credentials.findByKey(emailKey)
  if (!credential) return refused(400, INVALID_CODE, { fields: { code: INVALID_CODE } })
  const { member } = credential
  await context.credentials.changePassword(member, passwordHash)
  const ended = await context.sessions.revokeAll(member)
  const noted = { type: 'NotePasswordChange', member, how: 'reset', at: context.now() } as const
  await context.dispatch(memberDecider, noted, { commandId: randomUUID(), actor: member })
  await noteEndedSessions(context, member, ended)
  await context.loginGuard.clear(emailKey)
  return done({ message: RESET })
}

/** The spec compares the two after trimming; what is stored is what was sent, so outer spaces are refused. */
async function unfitness(
  context: Ports,
  email: string | null,
  password: string,
  confirm: unknown,
): Promise<Refusal | null> {
  if (confirm !== undefined && typed(confirm).trim() !== password.trim()) {
    return refused(400, PASSWORDS_DIFFER, { fields: { confirm: PASSWORDS_DIFFER } })
  }
  if (password !== password.trim()) return refused(400, OUTER_SPACES, { fields: { newPassword: OUTER_SPACES } })
  const verdict = await context.checkPassword(password, email ? { email } : {})
  if (verdict.ok) return null
  const error = passwordSentence(verdict.reason, context.config.passwordMin)
  return refused(400, error, { fields: { newPassword: error } })
}

/** The key of the address whose mail was read, or null. Uses the code or the link up. */
async function provenAddress(context: Ports, email: string | null, { code, link }: ResetInput): Promise<string | null> {
  if (typeof link === 'string' && link !== '') return context.codes.verifyLink('reset', link)
  const digits = typed(code).trim()
  if (!email || !SIX_DIGITS.test(digits)) return null
  const emailKey = context.credentials.emailKey(email)
  return (await context.codes.verify('reset', emailKey, digits)) === 'ok' ? emailKey : null
}

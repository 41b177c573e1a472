import { done, type Outcome, refused } from '../outcome.ts'
import { changeOwing, oweEnded } from '../owed.ts'
import type { Ports } from '../ports.ts'
import { type AfterReset, afterReset } from './after-reset.ts'
import { parseEmail, SIX_DIGITS } from './email-address.ts'
import { passwordsDiffer, type Unfit, unfitness, unfitnessFor } from './fit-password.ts'
import { hashNewPassword } from './new-password.ts'

/** Address and code of the mail, or the token of its link. `confirm` is compared when the caller has one. */
export type ResetInput = {
  email?: string | undefined
  code?: string | undefined
  link?: string | undefined
  newPassword: string
  confirm?: string
}
export type ResetRefusal = Unfit | 'invalid-code' | 'slow-down'

/**
 * Sets a new password and ends every session (api-contract C03). Does not sign in. The password is compared with the names
 * and the member's address only beside a right code or link, so that nobody learns them by trying passwords; a refused one
 * leaves the code as it was. Who reads the mail alone gets no tries of a second factor's codes by it: where one is on, the
 * browser is known afterwards if it was before.
 */
export async function resetPassword(ports: Ports, input: ResetInput): Promise<Outcome<AfterReset, ResetRefusal>> {
  const email = parseEmail(input.email ?? '')
  const password = input.newPassword
  const unfit = await unfitness(ports, email, password, input.confirm)
  if (unfit) return unfit
  const proven = await provenAddress(ports, email, input)
  const credential = proven && (await ports.credentials.findByKey(proven.emailKey))
  if (!credential) return refused('invalid-code')
  const { member, emailKey } = credential
  const personal = await unfitnessFor(ports, member, password)
  if (personal) return personal
  const hashed = await hashNewPassword(ports, password, [member])
  if (!hashed.ok) return hashed
  const device = await ports.device?.()
  const knows = !(await ports.secondFactor.isOn(member)) || (await ports.loginGuard.knows({ emailKey, device }))
  const changed = await changeOwing(ports, member, async (rows, owe) => {
    if (!(await proven.use(rows.codes))) return false
    await rows.credentials.changePassword(member, hashed.value)
    owe({ type: 'NotePasswordChange', how: 'reset' })
    oweEnded(owe, await rows.sessions.revokeAll(member))
    return true
  })
  if (!changed) return refused('invalid-code')
  return done(await afterReset(ports, { member, emailKey, passwordHash: hashed.value }, knows))
}

export type ResetFault = Unfit | 'malformed-code' | 'invalid-code'

/**
 * Everything that is wrong with what was typed, so that a form shows it in one round. The code is tried, and counted, only
 * where something else is wrong: else the reset itself tries it. A link is looked at by the reset alone.
 */
export async function resetFaults(ports: Ports, input: ResetInput): Promise<readonly ResetFault[]> {
  const { newPassword: password, confirm, link } = input
  const email = parseEmail(input.email ?? '')
  const verdict = await ports.checkPassword(password, email ? { email } : {})
  const faults: ResetFault[] = []
  if (!verdict.ok) faults.push(verdict.reason)
  if (confirm !== undefined && passwordsDiffer(password, confirm)) faults.push('passwords-differ')
  if (link !== undefined) return faults
  if (!SIX_DIGITS.test(input.code?.trim() ?? '')) return ['malformed-code', ...faults]
  const isWrong = faults.length > 0 && !(await provenAddress(ports, email, input))
  return isWrong ? ['invalid-code', ...faults] : faults
}

/** The key of the address whose mail was read, with the way to use its code or link up, once; or null. */
type Proven = { emailKey: string; use(codes: Ports['codes']): Promise<boolean> }

async function provenAddress(
  { codes, credentials }: Ports,
  email: string | null,
  { code, link }: ResetInput,
): Promise<Proven | null> {
  if (link) {
    const emailKey = await codes.peekLink('reset', link)
    return emailKey ? { emailKey, use: async (own) => (await own.verifyLink('reset', link)) === emailKey } : null
  }
  const digits = code?.trim() ?? ''
  if (!email || !SIX_DIGITS.test(digits)) return null
  const emailKey = credentials.emailKey(email)
  if ((await codes.peek('reset', emailKey, digits)) !== 'ok') return null
  return { emailKey, use: async (own) => (await own.verify('reset', emailKey, digits)) === 'ok' }
}

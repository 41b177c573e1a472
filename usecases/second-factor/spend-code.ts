import type { MemberId } from '../../domain/shared/ids.ts'
import { APP_CODE } from '../../services/second-factor/totp.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import { changeOwing } from '../owed.ts'
import type { Ports } from '../ports.ts'

/** `recovery-code-needed`: no wait helps, and no code of the app (api-contract §6.2, CODE). */
export type CodeRefusal = 'code-required' | 'wrong-code' | 'too-many-codes' | 'recovery-code-needed'
type Whose = { readonly member: MemberId; readonly emailKey: string; readonly device?: string | undefined }

/**
 * Compares a code with those of the member's app and their recovery codes, and uses it up. A code of the app counts before
 * it is looked at, for the account and not for one sign-in; a recovery code is too long to be guessed.
 */
export async function spendCode(
  ports: Ports,
  { member, ...who }: Whose,
  typed: string | undefined,
): Promise<Outcome<null, CodeRefusal>> {
  const code = typed?.replace(/\s/g, '') ?? ''
  if (!code) return refused('code-required')
  if (APP_CODE.test(code)) {
    const counted = await ports.codeGuard.before(who)
    if (!counted.ok && counted.mailLink) return refused('recovery-code-needed', { retryInMs: counted.retryInMs })
    if (!counted.ok) return refused('too-many-codes', { retryInMs: counted.retryInMs })
  }
  const spent = await changeOwing({ ...ports, dispatch: ports.note }, member, async ({ secondFactor }, owe) => {
    const by = await secondFactor.spend(member, code)
    if (by === 'recovery')
      owe({ type: 'NoteRecoveryCode', left: (await secondFactor.find(member))?.recoveryCodes ?? 0 })
    return by
  })
  if (!spent) return refused('wrong-code')
  await ports.codeGuard.passed(who)
  return done(null)
}

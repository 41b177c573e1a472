import { takeNetworkTry } from '../identity/network-try.ts'
import { admit, type Browser, type LoggedIn, openSessionWithFactor } from '../identity/open-session.ts'
import { done, type Outcome, type Refused, refused } from '../outcome.ts'
import { changeOwing } from '../owed.ts'
import type { Ports } from '../ports.ts'
import { type CodeRefusal, spendCode } from './spend-code.ts'

/** `code`: of the app, or a recovery code. */
export type GiveCodeInput = Browser & { readonly challenge: string; readonly code: string }
/** `sign-in-over`: another code does not help, only signing in anew. */
export type GiveCodeRefusal = CodeRefusal | 'sign-in-over' | 'suspended' | 'slow-down'

/**
 * Ends a sign-in that waits for its second factor (api-contract C01). The challenge is good for the account and the password
 * that it was made by, for some minutes, and for few codes.
 */
export async function giveCode(
  ports: Ports,
  { challenge, code, ...browser }: GiveCodeInput,
): Promise<Outcome<LoggedIn, GiveCodeRefusal>> {
  if (!code.trim()) return refused('code-required')
  const { device } = browser
  const taken = await takeNetworkTry(ports, { device, emailKey: device && (await emailKeyOf(ports, challenge)) })
  if (!taken.ok) return taken
  const networkTries = taken.value
  const waiting = await ports.challenges.takeTry(challenge)
  const credential = waiting && (await ports.credentials.findByMember(waiting.member))
  if (!credential || credential.passwordHash !== waiting.passwordHash) return refused('sign-in-over')
  const { member, remember, passwordHash, last } = waiting
  const { emailKey } = credential
  // A code is used up for a session only: not while the log does not answer, not by who is shut out, nor by one too many.
  const admitted = await admit(ports, { member, emailKey })
  if (!admitted.ok) return notOpened(admitted)
  const room = await ports.limits.peek('SIGN_IN', member)
  if (!room.ok) return refused('slow-down', { retryInMs: room.retryInMs })
  const spent = await spendCode(ports, { member, emailKey, device }, code)
  if (!spent.ok && spent.reason === 'wrong-code' && last) {
    await changeOwing({ ...ports, dispatch: ports.note }, member, async (_rows, owe) =>
      owe({ type: 'NoteRefusedCodes' }),
    )
    return refused('sign-in-over')
  }
  if (!spent.ok) return spent
  if (!(await ports.challenges.end(challenge))) return refused('sign-in-over')
  const opened = await openSessionWithFactor(ports, { member, emailKey, remember, passwordHash, networkTries }, browser)
  return opened.ok ? done(opened.value) : notOpened(opened)
}

/** Of the account whose sign-in waits. */
async function emailKeyOf({ challenges, credentials }: Ports, challenge: string): Promise<string | undefined> {
  const waiting = await challenges.find(challenge)
  return (waiting && (await credentials.findByMember(waiting.member)))?.emailKey
}

/** No other code helps an account that is gone or not wholly registered. */
const notOpened = ({ reason, ...more }: Refused<'invalid-credentials' | 'suspended' | 'slow-down'>) =>
  refused(reason === 'invalid-credentials' ? 'sign-in-over' : reason, more)

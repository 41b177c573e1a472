import type { MemberId } from '../../domain/shared/ids.ts'
import { PASSWORD_MAX } from '../../domain/shared/password.ts'
import { networkOf } from '../../services/limits/network.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { takeNetworkTry } from './network-try.ts'
import { type Browser, type LoggedIn, openSession } from './open-session.ts'

export type LogInInput = Browser & {
  email: string
  /** Never trimmed. */
  password: string
  /** A session of thirty days, else of one. */
  remember?: boolean
}
/** `mail-link-needed`: no wait helps, only a new password by mail (api-contract §6.2). */
type Throttled = 'slow-down' | 'mail-link-needed'
/** One reason for an unknown address, a wrong password and an account without one (security T10). */
export type LogInRefusal = Throttled | 'missing' | 'invalid-credentials' | 'suspended' | 'second-factor'

/** Signs in with address and password (api-contract C01). A right password alone counts for its account where a code is wanted. */
export async function logIn(ports: Ports, input: LogInInput): Promise<Outcome<LoggedIn, LogInRefusal>> {
  const email = input.email.trim()
  const { password, device, label, remember = false } = input
  if (!email || !password) return refused('missing', { fields: [email ? 'password' : 'email'] })
  const emailKey = ports.credentials.emailKey(email)
  const counted = await countTry(ports, { emailKey, device })
  if (!counted.ok) return counted
  try {
    const proven = await whose(ports, emailKey, password)
    if (!proven) return refused('invalid-credentials')
    const { networkTries } = counted.value
    return await openSession(ports, { ...proven, emailKey, remember, networkTries }, { device, label })
  } catch (error) {
    // It came to no answer, as where the log is away or its sender has left: nobody knows that it was wrong.
    await counted.value.giveBack()
    throw error
  }
}

type Counted = { readonly networkTries: number; readonly giveBack: () => Promise<void> }

/**
 * Every try counts before the password is looked at; a success gives its try back, as does one that comes to no answer. A
 * known device has tries of its own alone.
 */
async function countTry(
  ports: Ports,
  who: { emailKey: string; device?: string | undefined },
): Promise<Outcome<Counted, Throttled>> {
  const taken = await takeNetworkTry(ports, who)
  if (!taken.ok) return taken
  const networkTries = taken.value
  const account = await ports.loginGuard.before(who)
  if (!account.ok) {
    return refused(account.mailLink ? 'mail-link-needed' : 'slow-down', { retryInMs: account.retryInMs })
  }
  const giveBack = async () => {
    // Whoever leaves again and again has cost their network's tries, or a known device its own.
    const left = ports.left?.aborted
    if (networkTries > 0 || !left) await ports.loginGuard.giveBack(who, account.since)
    if (!left) await ports.limits.giveBack('LOGIN_IP', networkOf(ports.ip), networkTries)
  }
  return done({ giveBack, networkTries })
}

/**
 * The member whose password this is. An unknown address costs the same time (security A5). Whoever left is not signed in, to a
 * session that nobody has.
 */
async function whose(
  ports: Ports,
  emailKey: string,
  password: string,
): Promise<{ member: MemberId; passwordHash: string } | null> {
  const credential = await ports.credentials.findByKey(emailKey)
  const network = networkOf(ports.ip)
  const fits = [...password].length <= PASSWORD_MAX
  if (!credential?.passwordHash || !fits) {
    await ports.passwords.verifyDummy(password.slice(0, PASSWORD_MAX), network, ports.left)
    return null
  }
  const { member, passwordHash } = credential
  return (await ports.passwords.verify(passwordHash, password, network, ports.left)) ? { member, passwordHash } : null
}

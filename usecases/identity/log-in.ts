import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { NewSession } from '../../services/sessions/sessions.ts'
import { type Answer, done, inWords, type Refusal, refused, tooMany } from '../answer.ts'
import type { Ports } from '../ports.ts'
import { typed } from './email-address.ts'

export type LogInInput = {
  email?: unknown
  /** Never trimmed. */
  password?: unknown
  /** A session of thirty days, else of one. */
  remember?: boolean
  /** The token of this browser's device cookie. */
  device?: string | undefined
  /** For the list of sessions, such as "Firefox on Linux". */
  label: string
}
/** `device` is for the device cookie. A deactivated member may sign in (ruling R25). */
export type LoggedIn = NewSession & { member: MemberId; status: 'active' | 'deactivated'; device: string }

/** One sentence for an unknown address, a wrong password and an account without one (security T10). */
const INVALID = 'Invalid credentials'
const MISSING = 'Email and password are required.'
const PASSWORD_MAX = 128

/** Signs in with address and password (api-contract C01). */
export async function logIn(context: Ports, input: LogInInput): Promise<Answer<LoggedIn>> {
  const email = typed(input.email).trim()
  const password = typed(input.password)
  if (!email || !password) return refused(400, MISSING, { fields: { [email ? 'password' : 'email']: MISSING } })
  const who = { emailKey: context.credentials.emailKey(email), device: input.device }
  const blocked = await blockedFor(context, who)
  if (blocked) return blocked
  const member = await memberOf(context, who.emailKey, password)
  if (!member) return refused(401, INVALID)
  const { status } = await context.loadState(memberDecider, member)
  if (status === 'suspended') return refused(403, 'Account suspended', { code: 'suspended' })
  if (status !== 'active' && status !== 'deactivated') return refused(401, INVALID)
  if (!(await context.loginGuard.knows(who))) {
    // First, so that a device whose sign-in was not told is still a new one.
    const command = { type: 'NoteNewDevice', member, at: context.now() } as const
    await context.note(memberDecider, command, { commandId: randomUUID(), actor: member })
  }
  const { device } = await context.loginGuard.succeeded(who)
  await context.limits.giveBack('LOGIN_IP', networkOf(context.ip))
  const made = await context.sessions.create({ member, remember: input.remember ?? false, label: input.label })
  return done({ ...made, member, status, device })
}

/** Every try counts before the password is looked at; a success gives its try back. */
async function blockedFor(
  context: Ports,
  who: { emailKey: string; device?: string | undefined },
): Promise<Refusal | null> {
  const address = await context.limits.take('LOGIN_IP', networkOf(context.ip))
  if (!address.ok) return tooMany(address.retryInMs, tryAgain(address.retryInMs))
  const account = await context.loginGuard.before(who)
  if (account.ok) return null
  const advice = account.mailLink
    ? 'Too many wrong passwords. Ask for a new one with Forgot password: the link in the mail still works.'
    : tryAgain(account.retryInMs)
  return tooMany(account.retryInMs, advice)
}

const tryAgain = (ms: number) => `Too many tries. You can try again ${inWords(ms)}.`

/** The member whose password this is. An unknown address costs the same time (security A5). */
async function memberOf(context: Ports, emailKey: string, password: string): Promise<MemberId | null> {
  const credential = await context.credentials.findByKey(emailKey)
  const fits = [...password].length <= PASSWORD_MAX
  if (!credential?.passwordHash || !fits) {
    await context.passwords.verifyDummy(password.slice(0, PASSWORD_MAX))
    return null
  }
  return (await context.passwords.verify(credential.passwordHash, password)) ? credential.member : null
}

import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { NewSession } from '../../services/sessions/sessions.ts'
import { slowDownFor } from '../act.ts'
import { done, type Outcome, type Refused, refused } from '../outcome.ts'
import { changeOwing, oweEnded } from '../owed.ts'
import type { Ports } from '../ports.ts'
import { isRegistered } from '../register/confirm-address.ts'

/** `device` is the token of this browser's device cookie; `label` is for the list of sessions: "Firefox on Linux". */
export type Browser = { readonly device?: string | undefined; readonly label: string }
/** `device` is for the device cookie. A deactivated member may sign in (ruling R25). */
export type LoggedIn = NewSession & { member: MemberId; status: 'active' | 'deactivated'; device: string }
/**
 * `passwordHash`: the member's when they proved who they are; null for an account without a password. `networkTries`: what
 * this step took of its network's, which a right one gives back.
 */
type Proven = {
  member: MemberId
  emailKey: string
  remember: boolean
  passwordHash: string | null
  networkTries: number
}
type NotAdmitted = 'invalid-credentials' | 'suspended'
type NotOpened = NotAdmitted | 'slow-down'

/**
 * Signs in a member who proved who they are, unless the account is suspended, gone or not wholly registered. Where a second
 * factor is on, the refusal has the challenge that takes its code.
 */
export async function openSession(
  ports: Ports,
  proven: Proven,
  browser: Browser,
): Promise<Outcome<LoggedIn, NotOpened | 'second-factor'>> {
  const admitted = await admit(ports, proven)
  if (!admitted.ok) return admitted
  if (!(await ports.secondFactor.isOn(proven.member))) return start(ports, { ...proven, ...admitted.value }, browser)
  const challenge = await ports.challenges.issue(proven)
  if (!challenge) return refused('invalid-credentials')
  // The first factor is right; its code takes tries of its own, perhaps of another network.
  await ports.limits.giveBack('LOGIN_IP', networkOf(ports.ip), proven.networkTries)
  return refused('second-factor', { challenge })
}

/** The same once the second factor is given. */
export async function openSessionWithFactor(
  ports: Ports,
  proven: Proven,
  browser: Browser,
): Promise<Outcome<LoggedIn, NotOpened>> {
  const admitted = await admit(ports, proven)
  return admitted.ok ? start(ports, { ...proven, ...admitted.value, withFactor: true }, browser) : admitted
}

type Admitted = { readonly status: LoggedIn['status'] }

/** Whether the account may sign in at all. */
export async function admit(
  ports: Ports,
  { member, emailKey }: Pick<Proven, 'member' | 'emailKey'>,
): Promise<Outcome<Admitted, NotAdmitted>> {
  const { status } = await ports.loadState(memberDecider, member)
  if (status === 'suspended') return refused('suspended')
  if (status !== 'active' && status !== 'deactivated') return refused('invalid-credentials')
  if (!(await isRegistered(ports, { member, emailKey }))) return refused('invalid-credentials')
  return done({ status })
}

async function start(
  ports: Ports,
  {
    member,
    emailKey,
    status,
    withFactor = false,
    networkTries,
    ...proven
  }: Proven & Admitted & { withFactor?: boolean },
  { device: known, label }: Browser,
): Promise<{ ok: true; value: LoggedIn } | Refused<'invalid-credentials' | 'slow-down'>> {
  const who = { emailKey, device: known }
  const giveBack = () => ports.limits.giveBack('LOGIN_IP', networkOf(ports.ip), networkTries)
  const wait = await slowDownFor(ports, 'SIGN_IN', member)
  if (wait) {
    // The password is right: its owner waits for this limit alone.
    await Promise.all([ports.loginGuard.passed(who), giveBack()])
    return wait
  }
  const isNew = !(await ports.loginGuard.knows(who)) && (await ports.limits.take('NEW_DEVICE', member)).ok
  const made = await changeOwing({ ...ports, dispatch: ports.note }, member, async ({ sessions }, owe) => {
    const session = await sessions.createProven({ ...proven, member, label, withFactor })
    // With the session, so that a device whose sign-in was not noted is still a new one.
    if (session && isNew) owe({ type: 'NoteNewDevice' })
    if (session) oweEnded(owe, await sessions.revokeBeyond(member))
    return session
  })
  if (!made) return refused('invalid-credentials')
  const { device } = await ports.loginGuard.succeeded({ ...who, passwordHash: proven.passwordHash })
  await giveBack()
  return done({ ...made, member, status, device })
}

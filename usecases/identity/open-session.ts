import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { NewSession } from '../../services/sessions/sessions.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { isRegistered } from '../register/confirm-address.ts'

/** `device` is the token of this browser's device cookie; `label` is for the list of sessions: "Firefox on Linux". */
export type Browser = { readonly device?: string | undefined; readonly label: string }
/** `device` is for the device cookie. A deactivated member may sign in (ruling R25). */
export type LoggedIn = NewSession & { member: MemberId; status: 'active' | 'deactivated'; device: string }
/** `passwordHash`: of the password that proved it, where one did. */
type Proven = { member: MemberId; emailKey: string; remember: boolean; passwordHash?: string }

/** Signs in a member who proved who they are, unless the account is suspended, gone or not wholly registered. */
export async function openSession(
  ports: Ports,
  { member, emailKey, remember, passwordHash }: Proven,
  { device: known, label }: Browser,
): Promise<Outcome<LoggedIn, 'invalid-credentials' | 'suspended'>> {
  const { status } = await ports.loadState(memberDecider, member)
  if (status === 'suspended') return refused('suspended')
  if (status !== 'active' && status !== 'deactivated') return refused('invalid-credentials')
  if (!(await isRegistered(ports, { member, emailKey }))) return refused('invalid-credentials')
  const who = { emailKey, device: known }
  if (!(await ports.loginGuard.knows(who))) {
    // First, so that a device whose sign-in was not noted is still a new one.
    const command = { type: 'NoteNewDevice', member, at: ports.now() } as const
    await ports.note(memberDecider, command, { commandId: randomUUID(), actor: member })
  }
  const session = { member, remember, label }
  const made = passwordHash
    ? await ports.sessions.createByPassword({ ...session, passwordHash })
    : await ports.sessions.create(session)
  if (!made) return refused('invalid-credentials')
  const { device } = await ports.loginGuard.succeeded(who)
  await ports.limits.giveBack('LOGIN_IP', networkOf(ports.ip))
  return done({ ...made, member, status, device })
}

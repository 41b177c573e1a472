import type { MemberId } from '../../domain/shared/ids.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { PasswordRefusal } from '../../services/password-policy.ts'
import type { NewSession } from '../../services/sessions/sessions.ts'
import { slowDownFor } from '../act.ts'
import { parseEmail, typed } from '../identity/email-address.ts'
import { done, type Outcome, type Refused, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { createMember, type Newcomer } from './create-member.ts'
import { claimedMedia, type RegistrationMediaRefusal } from './media.ts'
import { isRefusedMinor, refuseMinor } from './minors.ts'
import { type VisitorProof, whyOver } from './proof.ts'
import { fieldsOf, judgeDob, Registration, type RegistrationField, reasonFor } from './rules.ts'

/** `token` opens the new member's session of thirty days. */
export type Registered = NewSession & { member: MemberId }
/** `barred`, `busy` and `taken` look alike to whoever registers (security T10). */
export type RegistrationRefusal =
  | PasswordRefusal
  | RegistrationMediaRefusal
  | 'invalid-code'
  | 'registered'
  | 'minor'
  | 'invalid-dob'
  | 'incomplete'
  | 'invalid-answers'
  | 'barred'
  | 'busy'
  | 'taken'
  | 'slow-down'
export type RegisterOutcome = Outcome<Registered, RegistrationRefusal>

export type Enrolling = {
  payload: object
  /** No hash: they sign in with Google alone. */
  password: { plain: string } | { hash: string | null }
  label: string
  demo: boolean
}

/** Registers the owner of a proof with their answers; the same rules for the wizard and the call. */
export async function enroll(ports: Ports, proof: VisitorProof, enrolling: Enrolling): Promise<RegisterOutcome> {
  const { payload } = enrolling
  const age = judgeDob('dob' in payload ? payload.dob : undefined, ports.now())
  if (age === 'minor' || (await isRefusedMinor(ports, proof.emailKey))) {
    await refuseMinor(ports, proof)
    return refused('minor')
  }
  if (await ports.barred.isTurnedAway(proof.emailKey)) return refused('barred')
  const parsed = Registration.safeParse(payload)
  const wrong = new Set<RegistrationField>(parsed.error ? fieldsOf(parsed.error) : [])
  if (age === 'invalid') wrong.add('dob')
  if (namesOther(ports, proof, payload)) wrong.add('email')
  if (!parsed.success || wrong.size > 0) return refused(reasonFor([...wrong], payload), { fields: [...wrong] })
  const weak = await weakness(ports, proof, parsed.data, enrolling)
  if (weak) return weak
  const media = await claimedMedia(ports, proof, parsed.data)
  if (!media.ok) return media
  return finish(ports, { proof, answers: parsed.data, media: media.value }, enrolling)
}

/** Whether the payload names another address than the proof's; it may name none. */
function namesOther({ credentials }: Ports, { emailKey }: VisitorProof, payload: object): boolean {
  const email = 'email' in payload ? payload.email : null
  if (email === undefined || email === null) return false
  const address = parseEmail(typed(email))
  return address === null || credentials.emailKey(address) !== emailKey
}

async function weakness(
  ports: Ports,
  proof: VisitorProof,
  { firstName, lastName }: Registration,
  { password }: Enrolling,
): Promise<Refused<PasswordRefusal> | null> {
  if ('hash' in password) return null
  const verdict = await ports.checkPassword(password.plain, { email: proof.email, firstName, lastName })
  return verdict.ok ? null : refused(verdict.reason)
}

type Checked = Pick<Newcomer, 'proof' | 'answers' | 'media'>

/** Only the request with the lease of the proof continues; concurrent ones, in any process, are refused as busy. */
async function finish(ports: Ports, checked: Checked, enrolling: Enrolling): Promise<RegisterOutcome> {
  const { token } = checked.proof
  const leased = await ports.proofs.lease(token)
  if (!leased.ok) return refused(leased.reason === 'busy' ? 'busy' : await whyOver(ports, token))
  try {
    return (await overLimit(ports, checked.proof)) ?? (await enter(ports, checked, enrolling, leased.lease))
  } finally {
    await ports.proofs.release(token, leased.lease)
  }
}

/** How often an address and a connection may try (api-contract C05); the mails of sign-up have a count of their own. */
async function overLimit(ports: Ports, { emailKey }: VisitorProof): Promise<Refused<'slow-down'> | null> {
  for (const [rate, key] of [
    ['CRIT', emailKey],
    ['SEND_IP', `register ${networkOf(ports.ip)}`],
  ] as const) {
    const wait = await slowDownFor(ports, rate, key)
    if (wait) return wait
  }
  return null
}

async function enter(
  ports: Ports,
  checked: Checked,
  { label, demo, password }: Enrolling,
  lease: string,
): Promise<RegisterOutcome> {
  const passwordHash =
    'hash' in password ? password.hash : await ports.passwords.hash(password.plain, networkOf(ports.ip))
  const created = await createMember(ports, { ...checked, lease, passwordHash, demo })
  if (!created.ok)
    return refused(created.reason === 'spent' ? await whyOver(ports, checked.proof.token) : created.reason)
  const member = created.value
  const made = await ports.sessions.create({ member, remember: true, label })
  return done({ ...made, member })
}

import { TERMS_VERSION } from '../../domain/identity/terms.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { networkOf } from '../../services/limits/network.ts'
import type { NewSession } from '../../services/sessions/sessions.ts'
import { type Answer, done, type Refusal, refused, tooMany } from '../answer.ts'
import { typed } from '../identity/email-address.ts'
import { uploadsOf } from '../media/upload-media.ts'
import type { Ports } from '../ports.ts'
import { createMember, type Newcomer } from './create-member.ts'
import { openDraft, payloadOf } from './draft.ts'
import { claimedMedia } from './media.ts'
import { isRefusedMinor, refuseMinor } from './minors.ts'
import { findProof, type VisitorProof } from './proof.ts'
import { fieldsOf, INCOMPLETE, INVALID_DOB, judgeDob, passwordSentence, Registration, sentenceFor } from './rules.ts'

const INVALID_CODE = 'Invalid or expired code.'
const REGISTRATION_FAILED = 'Registration failed. Please try again.'

/** `token` opens the new member's session of thirty days. */
export type Registered = NewSession & { member: MemberId }
export type RegisterInput = {
  signupToken: string | null
  /** The registration payload with its password (api-contract C05); its e-mail is not looked at. */
  payload: unknown
  /** For the list of sessions, such as "Firefox on Linux". */
  label: string
  /** A synthetic member of the demo world. */
  demo?: boolean
}

/** Makes a member of whoever holds the proof (api-contract C05). Sent twice at once, one of the two is told to try again. */
export async function register(context: Ports, input: RegisterInput): Promise<Answer<Registered>> {
  const proof = await findProof(context, input.signupToken)
  if (!proof) return refused(401, INVALID_CODE)
  const payload = typeof input.payload === 'object' && input.payload !== null ? input.payload : {}
  const password = typed('password' in payload ? payload.password : '')
  const chosen = proof.googleKey && !password ? { hash: null } : { plain: password }
  return registerWith(context, proof, payload, { ...input, password: chosen })
}

/** The wizard's last step: the answers and the hash of the password stand in the draft. */
export async function registerFromDraft(
  context: Ports,
  proof: VisitorProof,
  { label }: { label: string },
): Promise<Answer<Registered>> {
  const draft = openDraft(proof.draft)
  if (!draft.passwordHash && !proof.googleKey) return refused(400, INCOMPLETE)
  const payload = { ...payloadOf(draft, await uploadsOf(context, proof)), acceptedTermsVersion: TERMS_VERSION }
  return registerWith(context, proof, payload, { label, password: { hash: draft.passwordHash } })
}

type Manner = { label: string; demo?: boolean; password: { plain: string } | { hash: string | null } }

async function registerWith(
  context: Ports,
  proof: VisitorProof,
  payload: object,
  manner: Manner,
): Promise<Answer<Registered>> {
  const age = judgeDob('dob' in payload ? payload.dob : undefined, context.now())
  if (age === 'minor' || (await isRefusedMinor(context, proof.emailKey))) {
    await refuseMinor(context, proof)
    return refused(400, INVALID_DOB, { code: 'minor', fields: { dob: INVALID_DOB } })
  }
  if (await context.barred.isTurnedAway(proof.emailKey)) return refused(409, REGISTRATION_FAILED)
  const parsed = Registration.safeParse(payload)
  if (!parsed.success || age === 'invalid') {
    const fields = { ...(parsed.error && fieldsOf(parsed.error)), ...(age === 'invalid' && { dob: INVALID_DOB }) }
    return refused(400, sentenceFor(fields, payload), { fields })
  }
  const weak = await weakness(context, proof, parsed.data, manner)
  if (weak) return weak
  const media = await claimedMedia(context, proof, parsed.data)
  if (!media.ok) return media
  return finish(context, { proof, answers: parsed.data, media: media.value }, manner)
}

async function weakness(
  context: Ports,
  proof: VisitorProof,
  { firstName, lastName }: Registration,
  { password }: Manner,
): Promise<Refusal | null> {
  if ('hash' in password) return null
  const verdict = await context.checkPassword(password.plain, { email: proof.email, firstName, lastName })
  if (verdict.ok) return null
  const error = passwordSentence(verdict.reason, context.config.passwordMin)
  return refused(400, error, { fields: { password: error } })
}

type Checked = Pick<Newcomer, 'proof' | 'answers' | 'media'>

/** Whoever holds the proof goes on; others that come meanwhile, to this process or another, are told to try again. */
async function finish(context: Ports, checked: Checked, manner: Manner): Promise<Answer<Registered>> {
  const { token } = checked.proof
  const held = await context.proofs.hold(token)
  if (!held.ok) return held.reason === 'busy' ? refused(409, REGISTRATION_FAILED) : refused(401, INVALID_CODE)
  try {
    return (await overLimit(context, checked.proof)) ?? (await enter(context, checked, manner, held.hold))
  } finally {
    await context.proofs.letGo(token, held.hold)
  }
}

/** How often an address and a connection may try (api-contract C05); the mails of sign-up have a count of their own. */
async function overLimit(context: Ports, { emailKey }: VisitorProof): Promise<Refusal | null> {
  for (const [rate, key] of [
    ['CRIT', emailKey],
    ['SEND_IP', `register ${networkOf(context.ip)}`],
  ] as const) {
    const taken = await context.limits.take(rate, key)
    if (!taken.ok) return tooMany(taken.retryInMs)
  }
  return null
}

async function enter(
  context: Ports,
  checked: Checked,
  { label, demo = false, password }: Manner,
  hold: string,
): Promise<Answer<Registered>> {
  const passwordHash = 'hash' in password ? password.hash : await context.passwords.hash(password.plain)
  const member = await createMember(context, { ...checked, hold, passwordHash, demo })
  if (member === 'spent') return refused(401, INVALID_CODE)
  if (member === 'taken') return refused(409, REGISTRATION_FAILED)
  const made = await context.sessions.create({ member, remember: true, label })
  return done({ ...made, member })
}

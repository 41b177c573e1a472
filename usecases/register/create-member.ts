import { emailDecider } from '../../domain/identity/email.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { TERMS_VERSION } from '../../domain/identity/terms.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { addressFor } from '../identity/address-id.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { confirmAddress } from './confirm-address.ts'
import type { RegistrationMedia } from './media.ts'
import { memberOfProof, type VisitorProof } from './proof.ts'
import type { Registration } from './rules.ts'

/** Everything a new member is made of, checked. */
export type Newcomer = {
  proof: VisitorProof
  /** Of the proof: while it lasts nobody else works on this registration. */
  lease: string
  answers: Registration
  media: RegistrationMedia
  passwordHash: string | null
  demo: boolean
}

/** `spent`: the proof made an account already, or was ended. `taken`: another account has the address. */
type Stopped = 'spent' | 'taken' | 'invalid-media'
/** Each but the first takes a release of the address between two statements. */
const ADDRESS_TRIES = 8
type Step = (context: Ports, newcomer: Newcomer, member: MemberId, commandId: string) => Promise<Stopped | null>

/**
 * The uploads, which the visitor may have removed meanwhile, come before anything is recorded of them; the gallery, which
 * makes the member visible, after the credential, by which they can sign in.
 */
const STEPS: readonly Step[] = [
  reserveEmail,
  takeUploads,
  restoreBlocks,
  registerMember,
  startProfile,
  createCredential,
  fillGallery,
  confirm,
]

/**
 * Makes the member in steps that each may be repeated: interrupted anywhere, the same call resumes where it stopped, and
 * `endUnfinished` erases what nobody resumes. Each step begins with the lease renewed: once another has the proof, or it is
 * being ended, none follows.
 */
export async function createMember(context: Ports, newcomer: Newcomer): Promise<Outcome<MemberId, Stopped>> {
  const { proof, lease } = newcomer
  const member = memberOfProof(proof)
  if (await isTaken(context, newcomer, member)) return refused('taken')
  const commandId = uuidFrom('register', proof.id)
  for (const step of STEPS) {
    if (!(await context.proofs.renew(proof.token, lease))) return refused('spent')
    const stopped = await step(context, newcomer, member, commandId)
    if (stopped) return refused(stopped)
  }
  return (await context.proofs.complete(proof.token, lease)) ? done(member) : refused('spent')
}

/** Before anything is recorded: the address or the Google account has another member, registered or about to be. */
async function isTaken({ credentials }: Ports, { proof }: Newcomer, member: MemberId): Promise<boolean> {
  const byGoogle = proof.googleKey === null ? null : await credentials.findByGoogle(proof.googleKey)
  const known = byGoogle ?? (await credentials.findByKey(proof.emailKey))
  return known !== null && known.member !== member
}

async function reserveEmail(
  context: Ports,
  newcomer: Newcomer,
  member: MemberId,
  commandId: string,
): Promise<Stopped | null> {
  const { proof, lease } = newcomer
  const source = { commandId: uuidFrom(commandId, 'reserve'), actor: member }
  for (let tries = 0; tries < ADDRESS_TRIES; tries++) {
    if (tries > 0 && !(await context.proofs.renew(proof.token, lease))) return 'spent'
    const address = await addressFor(context, proof.emailKey, leaseOf(newcomer))
    if (!address) return 'spent'
    const command = { type: 'ReserveEmail', address, member, at: context.now() } as const
    const outcome = await context.dispatch(emailDecider, command, source)
    if (outcome.ok) return null
    const email = await context.loadState(emailDecider, address)
    // `reused` is also what the release before reserved under the same proof.
    if (email.holder === member) return null
    if (!email.released) return 'taken'
    // Whoever released it was interrupted, or is about to do the same.
    await context.addresses.remove(address)
  }
  throw unfinished('released')
}

const leaseOf = ({ proof, lease }: Newcomer) => ({ proof: proof.id, lease })

/** Once the gallery is filled, the uploads in it count. */
async function takeUploads(context: Ports, newcomer: Newcomer, member: MemberId): Promise<Stopped | null> {
  if ((await context.loadState(galleryDecider, member)).items.length > 0) return null
  const taken = await context.media.handOver(leaseOf(newcomer), member, newcomer.media.claims)
  if (taken === 'done') return null
  return taken === 'over' ? 'spent' : 'invalid-media'
}

/**
 * Whoever had blocked the last holder of the address is as far from this one, before either can see the other (security
 * T16).
 */
async function restoreBlocks(context: Ports, { proof }: Newcomer, member: MemberId, commandId: string): Promise<null> {
  for (const by of await context.keptBlocks.list(proof.emailKey)) {
    const command = { type: 'Block', by, target: member, at: context.now() } as const
    const source = { commandId: uuidFrom(commandId, 'block', by), actor: 'system' }
    const blocked = await context.dispatch(pairDecider, command, source)
    if (!blocked.ok && blocked.reason !== 'reused') throw unfinished(blocked.reason)
  }
  return null
}

/** On a retry the first answers count, here as for the profile. */
async function registerMember(
  context: Ports,
  { proof, answers, demo }: Newcomer,
  member: MemberId,
  commandId: string,
): Promise<null> {
  const at = context.now()
  const termsVersion = answers.acceptedTermsVersion ?? TERMS_VERSION
  const joining = { type: 'Register', member, email: proof.email, termsVersion, demo, at } as const
  const joined = await context.dispatch(memberDecider, joining, { commandId, actor: member })
  if (!joined.ok && joined.reason !== 'already-registered' && joined.reason !== 'reused')
    throw unfinished(joined.reason)
  return null
}

async function startProfile(context: Ports, { answers }: Newcomer, member: MemberId, commandId: string): Promise<null> {
  const {
    photos: _photos,
    avatar: _avatar,
    voiceUrl: _voice,
    acceptedTermsVersion: _terms,
    phone,
    ...profile
  } = answers
  const starting = { type: 'StartProfile', member, ...profile, phone: phone ?? '', at: context.now() } as const
  const started = await context.dispatch(profileDecider, starting, { commandId, actor: member })
  if (!started.ok && started.reason !== 'already-started' && started.reason !== 'reused')
    throw unfinished(started.reason)
  return null
}

async function createCredential(context: Ports, newcomer: Newcomer, member: MemberId): Promise<Stopped | null> {
  const { proof, passwordHash, lease } = newcomer
  const { emailKey, googleKey } = proof
  const under = leaseOf(newcomer)
  if (await context.credentials.create({ member, emailKey, passwordHash, googleKey, under })) return null
  return (await context.proofs.renew(proof.token, lease)) ? 'taken' : 'spent'
}

async function fillGallery(context: Ports, { media }: Newcomer, member: MemberId, commandId: string): Promise<null> {
  const items = media.items.map((item) => ({ ...item, caption: '', privacy: 'public' as const }))
  const { avatar, voice } = media
  const command = { type: 'FillGallery', member, items, avatar, voice, at: context.now() } as const
  const filled = await context.dispatch(galleryDecider, command, { commandId, actor: member })
  if (!filled.ok && filled.reason !== 'reused') throw unfinished(filled.reason)
  return null
}

async function confirm(
  context: Ports,
  { proof }: Newcomer,
  member: MemberId,
  commandId: string,
): Promise<Stopped | null> {
  const confirmed = await confirmAddress(context, { member, emailKey: proof.emailKey }, commandId)
  return confirmed === 'done' ? null : confirmed
}

const unfinished = (reason: string) => new Error(`A registration stopped: ${reason}`)

import { emailDecider } from '../../domain/identity/email.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { TERMS_VERSION } from '../../domain/identity/terms.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
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

/**
 * Address, member, profile, credential, gallery and the address's confirmation, in steps that each may be repeated:
 * interrupted anywhere, the same call resumes where it stopped. The gallery, which makes the member visible, comes after
 * the credential, by which they can sign in; `endUnfinished` erases what nobody resumes. `spent`: the proof made an
 * account already. `taken`: another account has the address.
 */
export async function createMember(context: Ports, newcomer: Newcomer): Promise<MemberId | 'spent' | 'taken'> {
  const { proof, media, passwordHash } = newcomer
  const member = memberOfProof(proof)
  if (await isTaken(context, newcomer, member)) return 'taken'
  const commandId = uuidFrom('register', proof.id)
  if (!(await reserveEmail(context, newcomer, member, commandId))) return 'taken'
  await restoreBlocks(context, newcomer, member, commandId)
  await startMember(context, newcomer, member, commandId)
  await context.media.handOver(proof.id, member)
  if (!(await context.media.attach({ member }, media.claims))) throw new Error('Uploads of a registration are gone.')
  const { emailKey, googleKey } = proof
  if (!(await context.credentials.create({ member, emailKey, passwordHash, googleKey }))) return 'taken'
  await fillGallery(context, newcomer, member, commandId)
  if (!(await confirmAddress(context, { member, emailKey }, commandId))) return 'taken'
  return (await context.proofs.complete(proof.token, newcomer.lease)) ? member : 'spent'
}

/** Before anything is recorded: the address or the Google account has another member, registered or about to be. */
async function isTaken({ credentials }: Ports, { proof }: Newcomer, member: MemberId): Promise<boolean> {
  const byGoogle = proof.googleKey === null ? null : await credentials.findByGoogle(proof.googleKey)
  const known = byGoogle ?? (await credentials.findByKey(proof.emailKey))
  return known !== null && known.member !== member
}

async function reserveEmail(
  context: Ports,
  { proof }: Newcomer,
  member: MemberId,
  commandId: string,
): Promise<boolean> {
  const command = { type: 'ReserveEmail', emailKey: proof.emailKey, member, at: context.now() } as const
  const outcome = await context.dispatch(emailDecider, command, {
    commandId: uuidFrom(commandId, 'reserve'),
    actor: member,
  })
  return outcome.ok
}

/**
 * Whoever had blocked the last holder of the address is as far from this one, before either can see the other (security
 * T16).
 */
async function restoreBlocks(context: Ports, { proof }: Newcomer, member: MemberId, commandId: string): Promise<void> {
  for (const by of await context.keptBlocks.list(proof.emailKey)) {
    const command = { type: 'Block', by, target: member, at: context.now() } as const
    const source = { commandId: uuidFrom(commandId, 'block', by), actor: 'system' }
    const blocked = await context.dispatch(pairDecider, command, source)
    if (!blocked.ok && blocked.reason !== 'reused') throw unfinished(blocked.reason)
  }
}

/** On a retry the first answers count. */
async function startMember(
  context: Ports,
  { proof, answers, demo }: Newcomer,
  member: MemberId,
  commandId: string,
): Promise<void> {
  const at = context.now()
  const source = { commandId, actor: member }
  const termsVersion = answers.acceptedTermsVersion ?? TERMS_VERSION
  const joining = { type: 'Register', member, email: proof.email, termsVersion, demo, at } as const
  const joined = await context.dispatch(memberDecider, joining, source)
  if (!joined.ok && joined.reason !== 'already-registered' && joined.reason !== 'reused')
    throw unfinished(joined.reason)
  const {
    photos: _photos,
    avatar: _avatar,
    voiceUrl: _voice,
    acceptedTermsVersion: _terms,
    phone,
    ...profile
  } = answers
  const starting = { type: 'StartProfile', member, ...profile, phone: phone ?? '', at } as const
  const started = await context.dispatch(profileDecider, starting, source)
  if (!started.ok && started.reason !== 'already-started' && started.reason !== 'reused')
    throw unfinished(started.reason)
}

async function fillGallery(context: Ports, { media }: Newcomer, member: MemberId, commandId: string): Promise<void> {
  const items = media.items.map((item) => ({ ...item, caption: '', privacy: 'public' as const }))
  const { avatar, voice } = media
  const command = { type: 'FillGallery', member, items, avatar, voice, at: context.now() } as const
  const filled = await context.dispatch(galleryDecider, command, { commandId, actor: member })
  if (!filled.ok && filled.reason !== 'reused') throw unfinished(filled.reason)
}

const unfinished = (reason: string) => new Error(`A registration stopped: ${reason}`)

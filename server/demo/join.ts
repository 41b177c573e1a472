import { memberDecider } from '../../domain/identity/member.ts'
import { ProfileChanges } from '../../domain/profile/commands.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import { minutes } from '../../domain/shared/dates.ts'
import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import { backOff } from '../../eventstore/retry.ts'
import type { Uploader } from '../../services/media/records.ts'
import { createQueue } from '../../services/queue.ts'
import { send } from '../../usecases/act.ts'
import { actingAs } from '../../usecases/acting.ts'
import type { Ports } from '../../usecases/ports.ts'
import { createMember } from '../../usecases/register/create-member.ts'
import { memberOfProof } from '../../usecases/register/proof.ts'
import { galleryOf, type Piece } from './gallery.ts'
import type { Home } from './locations.ts'
import { openness, type Persona } from './people.ts'
import type { Begun } from './plan.ts'
import type { Chance } from './random.ts'
import { DemoRefused } from './refused.ts'

/** A member of the demo world, with the invented person behind it. */
export type Inhabitant = { readonly member: MemberId; readonly persona: Persona }

/** For its turn, a picture waits as long as other uploads keep it. */
const BUSY_MS = minutes(10)
/** As many are drawn and parsed at once as do not wait for each other long: a slow machine has one core for all. */
const inTurn = createQueue(4)

/** What a newcomer joins by; `signal` ends the wait for others' uploads, and their own between two pictures. */
type Tools = Ports & { readonly signal?: AbortSignal | undefined }

export type Newcomer = {
  readonly persona: Persona
  readonly home: Home
  readonly email: string
  /** Null: nobody can sign in as this member. */
  readonly passwordHash: string | null
  /** When they joined, for their events. */
  readonly at: Date
  /** The same for the same newcomer of a plan that is taken up again. */
  readonly commandId: string
  readonly begun: Begun | undefined
  /** Whether there are pictures of what they like. */
  readonly more: boolean
  begin(proof: Begun): void
}

/**
 * Signs an invented person up as the wizard does: a proof, uploads, the steps of a registration, then the profile. Done
 * again for the same newcomer, it finishes what is missing.
 */
export async function joinDemoWorld(tools: Tools, chance: Chance, newcomer: Newcomer): Promise<Inhabitant> {
  const { persona, home, at, commandId, more } = newcomer
  const context: Tools = { ...tools, now: () => at }
  const pieces = galleryOf(chance, persona, more)
  const changes = { ...persona.changes, ...openness(chance, persona.answers.visibilityMode) }
  const member = await signUp(context, newcomer, pieces)
  await fillProfile(context, { member, commandId }, changes, home)
  await context.positions.accept(member, home.location)
  return { member, persona }
}

async function signUp(context: Tools, newcomer: Newcomer, pieces: readonly Piece[]): Promise<MemberId> {
  const { persona, email, passwordHash } = newcomer
  const emailKey = context.credentials.emailKey(email)
  const begun = newcomer.begun && !(await isEnded(context, newcomer.begun)) ? newcomer.begun : undefined
  const proof = begun ?? (await context.proofs.issue({ email, emailKey }))
  if (!begun) newcomer.begin(proof)
  const leased = await context.proofs.lease(proof.token, `demo ${proof.id}`)
  const media = await uploadAll(context, proof, pieces)
  const created = await createMember(context, {
    proof: { ...proof, email, emailKey, googleKey: null, draft: null, expiresAt: context.now() },
    // That of an interrupted start is taken up again; a proof that is over has made its member.
    lease: leased.ok ? leased.lease : '',
    answers: { ...persona.answers, photos: [] },
    media: {
      items: media.map((id, i) => ({ media: id, kind: pieces[i]!.kind })),
      avatar: media[0]!,
      voice: null,
      claims: media.map((id) => ({ id, purposes: ['photo'] })),
    },
    passwordHash,
    demo: true,
  })
  if (created.ok) return created.value
  const made = created.reason === 'spent' ? await context.credentials.findByEmail(email) : null
  if (!made) throw new DemoRefused(`a member could not register: ${created.reason}`)
  return made.member
}

/** What was interrupted for hours has been ended, its member erased, and begins anew. */
async function isEnded({ loadState, proofs }: Ports, proof: Begun): Promise<boolean> {
  const { status } = await loadState(memberDecider, memberOfProof(proof))
  return status === 'gone' || (status === 'none' && (await proofs.find(proof.token)) === null)
}

/** In order, up to a stop; those that an interrupted start had brought already count. */
async function uploadAll(context: Tools, proof: { id: string }, pieces: readonly Piece[]): Promise<MediaId[]> {
  const [ofProof, ofMember] = [{ proof: proof.id }, { member: memberOfProof(proof) }]
  const there = [...(await context.media.list(ofMember)), ...(await context.media.list(ofProof))]
  const ids = there.slice(0, pieces.length).map(({ id }) => id as MediaId)
  // Each of these newcomers is as one from elsewhere.
  const owner = { ...ofProof, network: proof.id }
  const next = async (piece: Piece) => {
    context.signal?.throwIfAborted()
    return uploadPiece(context, owner, piece)
  }
  for (const piece of pieces.slice(ids.length)) ids.push(await inTurn(() => next(piece)))
  return ids
}

/** Those that wait in vain for others come again, for as long as a busy machine may take; `signal` ends that. */
async function uploadPiece({ media, signal }: Tools, owner: Uploader, piece: Piece): Promise<MediaId> {
  const [file, still] = await Promise.all([piece.file(), piece.still?.()])
  const drawn = piece.kind === 'image'
  const startedAt = performance.now()
  for (let tries = 1; ; tries++) {
    const uploaded = await media.upload({ owner, purpose: 'photo', file, still, small: true, drawn })
    if (uploaded.ok) return uploaded.media.id as MediaId
    const again = uploaded.reason === 'busy' && performance.now() - startedAt < BUSY_MS
    if (!again) throw new DemoRefused(`a picture was refused: ${uploaded.reason}`)
    await backOff(tries, signal)
    signal?.throwIfAborted()
  }
}

async function fillProfile(
  context: Ports,
  { member, commandId }: { member: MemberId; commandId: string },
  own: ProfileChanges,
  home: Home,
): Promise<void> {
  const { town } = home
  const changes = ProfileChanges.parse({
    ...own,
    ...(town && { city: town.name, location: `${town.name}, ${town.countryName}` }),
  })
  const command = { type: 'EditProfile' as const, member, changes, at: context.now() }
  const edited = await send(actingAs(context, member), { commandId }, profileDecider, command)
  if (!edited.ok) throw new DemoRefused(`a profile was refused: ${edited.reason}`)
}

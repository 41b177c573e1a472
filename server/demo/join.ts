import { randomUUID } from 'node:crypto'
import { send } from '../../app/actions/act.server.ts'
import { createMember } from '../../app/actions/register/steps.server.ts'
import type { RequestContext } from '../../app/lib/request/context.server.ts'
import { ProfileChanges } from '../../domain/profile/commands.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import { openness, type Persona } from './people.ts'
import type { Home } from './places.ts'
import { landscape, portrait } from './portraits.ts'
import type { Chance } from './random.ts'

/** A member of the demo world, with the invented person behind it. */
export type Inhabitant = { readonly member: MemberId; readonly persona: Persona }

/** Landscapes are drawn a few times and uploaded by many. */
export type Landscapes = (chance: Chance) => Promise<Buffer>
const POOL = 40

export function createLandscapes(seed: number): Landscapes {
  const pool: Promise<Buffer>[] = []
  return (chance) => {
    const index = chance.between(0, POOL - 1)
    pool[index] ??= landscape(seed * POOL + index)
    return pool[index]
  }
}

export type Newcomer = {
  readonly persona: Persona
  readonly home: Home
  readonly email: string
  /** Null: nobody can sign in as this member. */
  readonly passwordHash: string | null
  /** When they joined, for their events. */
  readonly at: Date
}

/** Signs an invented person up as the wizard does: a proof, uploads, the steps of a registration, then the profile. */
export async function joinDemoWorld(
  tools: RequestContext,
  chance: Chance,
  landscapes: Landscapes,
  { persona, home, email, passwordHash, at }: Newcomer,
): Promise<Inhabitant> {
  const context: RequestContext = { ...tools, now: () => at }
  const { token } = await context.proofs.issue({ email, emailKey: context.credentials.emailKey(email) })
  const proof = await context.proofs.find(token)
  if (!proof) throw new Error('A proof of the demo world is gone.')
  const media = await uploadPictures(context, proof.id, await drawPictures(chance, landscapes, persona))
  const member = await createMember(context, {
    proof: { ...proof, token },
    answers: { ...persona.answers, photos: [] },
    media: {
      items: media.map((id) => ({ media: id, kind: 'image' })),
      avatar: media[0]!,
      voice: null,
      claims: media.map((id) => ({ id, purposes: ['photo'] })),
    },
    passwordHash,
    demo: true,
  })
  if (member === 'spent' || member === 'taken') throw new Error(`A demo member could not register: ${member}.`)
  await fillProfile(context, member, { ...persona.changes, ...openness(chance, persona.answers.visibilityMode) }, home)
  await context.positions.accept(member, home.place)
  return { member, persona }
}

/** A portrait, which is the avatar, and one to three landscapes. */
async function drawPictures(chance: Chance, landscapes: Landscapes, { answers }: Persona): Promise<Buffer[]> {
  const bearded = answers.gender === 'Male' ? 40 : answers.gender === 'Female' ? 0 : 12
  const views = chance.chance(0.65) ? 1 : chance.between(2, 3)
  const seed = chance.between(1, 2 ** 31)
  const chosen = Array.from({ length: views }, () => landscapes(chance))
  return Promise.all([portrait(seed, bearded), ...chosen])
}

async function uploadPictures(context: RequestContext, proof: string, files: readonly Buffer[]): Promise<MediaId[]> {
  const ids: MediaId[] = []
  for (const file of files) {
    const uploaded = await context.media.upload({ owner: { proof }, purpose: 'photo', file })
    if (!uploaded.ok) throw new Error(`A picture of the demo world was refused: ${uploaded.error}`)
    ids.push(uploaded.media.id)
  }
  return ids
}

async function fillProfile(context: RequestContext, member: MemberId, own: ProfileChanges, home: Home): Promise<void> {
  const { town } = home
  const changes = ProfileChanges.parse({
    ...own,
    ...(town && { city: town.name, location: `${town.name}, ${town.countryName}` }),
  })
  const command = { type: 'EditProfile' as const, member, changes, at: context.now() }
  const edited = await send(context, { me: member, commandId: randomUUID() }, profileDecider, command)
  if (!edited.ok) throw new Error(`A demo profile was refused: ${edited.reason}`)
}

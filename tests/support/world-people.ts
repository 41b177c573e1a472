import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { z } from 'zod'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import type { ProfileChanges } from '../../domain/profile/commands.ts'
import type { MemberId, MessageId } from '../../domain/shared/ids.ts'
import type { Product } from '../../server/product.ts'
import type { NewSession } from '../../services/sessions/sessions.ts'
import { actingAs } from '../../usecases/acting.ts'
import { sendMessage } from '../../usecases/chat/send-message.ts'
import { block } from '../../usecases/pair/block.ts'
import { buzz } from '../../usecases/pair/buzz.ts'
import { skip } from '../../usecases/pair/skip.ts'
import { unblock } from '../../usecases/pair/unblock.ts'
import { unmatch } from '../../usecases/pair/unmatch.ts'
import type { Ports } from '../../usecases/ports.ts'
import { editProfile } from '../../usecases/profile/edit-profile.ts'
import { register } from '../../usecases/register/register.ts'
import { Basics, Interests, Preferences } from '../../usecases/register/rules.ts'
import { PASSWORD } from './newcomers.ts'
import { addMember, type MemberTemplate, templateOf } from './templates/member.ts'

/** A member of a test world, signed in on one device. */
export type Person = {
  readonly id: MemberId
  readonly name: string
  readonly email: string
  readonly password: string
  /** For a bearer header. */
  readonly token: string
  /** For a Cookie header. */
  readonly cookie: string
}

const LABEL = 'A test'

/** What of a registration becomes the profile. */
const ProfileAnswers = z.object({ ...Basics.shape, ...Preferences.shape, ...Interests.shape })

/** The wizard's answers; the rest is what most people enter. */
export type Details = {
  gender?: 'Male' | 'Female' | 'Non-binary' | 'Other' | 'Prefer not to say'
  interestedIn?: readonly ('male' | 'female' | 'other')[]
  dob?: string
  interests?: readonly string[]
  visibilityMode?: 'auto' | 'limited' | 'full' | 'hidden'
  preferences?: { ageRange: [number, number]; distanceMiles: number }
  location?: { lat: number; lng: number }
  email?: string
  lastName?: string
}

/** Two small pictures, made once. */
let pictures: Promise<Buffer[]> | undefined
function twoPictures(): Promise<Buffer[]> {
  const picture = (background: string) =>
    sharp({ create: { width: 240, height: 300, channels: 3, background } })
      .jpeg()
      .toBuffer()
  pictures ??= Promise.all([picture('#c96'), picture('#69c')])
  return pictures
}

/** Of the first who registered in this process; whoever comes meanwhile waits for it. */
let template: Promise<MemberTemplate> | undefined

export function createPeople(context: Ports, product: Product, dataDir: string) {
  const { services } = product
  const home = { product, dataDir, now: context.now }
  const run = { commandId: () => randomUUID() }

  /** Registers as a visitor does. */
  async function registers(name: string, email: string, details: Details): Promise<NewSession & { member: MemberId }> {
    const emailKey = services.credentials.emailKey(email)
    const { token: signupToken, id: proof } = await services.proofs.issue({ email, emailKey })
    const photos: string[] = []
    for (const file of await twoPictures()) {
      const uploaded = await services.media.upload({ owner: { proof, network: proof }, purpose: 'photo', file })
      if (!uploaded.ok) throw new Error(uploaded.reason)
      photos.push(`/media/${uploaded.media.id}`)
    }
    const answer = await register(context, { signupToken, label: LABEL, payload: payloadOf(name, photos, details) })
    if (!answer.ok) throw new Error(`${name} cannot join: ${answer.reason}`)
    return answer.value
  }

  /** As if they had registered. */
  async function appears(like: MemberTemplate, name: string, email: string, details: Details) {
    const id = services.newId() as MemberId
    await addMember(home, like, { id, email }, ProfileAnswers.parse(payloadOf(name, [], details)))
    return { member: id, ...(await services.sessions.create({ member: id, remember: true, label: LABEL })) }
  }

  /** An address of one's own is looked at as any that is given at registration; the rest is as the template. */
  async function join(name: string, details: Details = {}): Promise<Person> {
    const email = details.email ?? `${name.toLowerCase().replace(/\W+/g, '.')}.${randomUUID().slice(0, 8)}@example.com`
    const joining =
      template && !details.email
        ? template.then((like) => appears(like, name, email, details))
        : registers(name, email, details)
    template ??= joining.then(({ member: id }) => templateOf(home, { id, email }))
    template.catch(() => {
      template = undefined
    })
    const { member: id, token } = await joining
    // It is read of the first before a test does anything to them, such as erase them.
    await template?.catch(() => undefined)
    if (details.location) await services.positions.setTown(id, details.location)
    return { id, name, email, password: PASSWORD, token, cookie: `${SESSION_COOKIE}=${token}` }
  }

  const must = <T extends { ok: boolean }>(outcome: T): T => {
    if (!outcome.ok) throw new Error(`A set-up step was refused: ${JSON.stringify(outcome)}`)
    return outcome
  }
  /** Whoever acts next finds what was done. */
  const shown = async () => void (await product.caughtUp(await product.core.log.head(), ['accounts', 'relations']))
  const buzzes = async (from: Person, to: Person) =>
    must(await buzz(actingAs(context, from.id), { to: to.id, via: 'discover', commandId: run.commandId() }))

  return {
    join,
    buzz: buzzes,
    async match(a: Person, b: Person) {
      await shown()
      await buzzes(a, b)
      await buzzes(b, a)
      await shown()
    },
    skip: async (by: Person, target: Person) =>
      must(await skip(actingAs(context, by.id), { to: target.id, commandId: run.commandId() })),
    block: async (by: Person, target: Person) =>
      must(await block(actingAs(context, by.id), { target: target.id, commandId: run.commandId() })),
    unblock: async (by: Person, target: Person) =>
      must(await unblock(actingAs(context, by.id), { target: target.id, commandId: run.commandId() })),
    unmatch: async (by: Person, target: Person) =>
      must(await unmatch(actingAs(context, by.id), { target: target.id, commandId: run.commandId() })),
    sendMessage: async (from: Person, to: Person, text: string, id: string = randomUUID()) =>
      must(await sendMessage(actingAs(context, from.id), { to: to.id, id: id as MessageId, text })),
    edit: async (who: Person, changes: ProfileChanges) =>
      must(await editProfile(actingAs(context, who.id), { changes, commandId: run.commandId() })),
    /** Deactivated or suspended, sessions left as they are. */
    account: async (who: Person, type: 'Deactivate' | 'Reactivate' | 'Suspend' | 'Reinstate' | 'EraseAccount') => {
      const at = new Date()
      const command = type === 'Suspend' ? { type, member: who.id, reason: 'A test', at } : { type, member: who.id, at }
      return must(await context.dispatch(memberDecider, command, { commandId: run.commandId(), actor: 'admin:test' }))
    },
  }
}

function payloadOf(name: string, photos: readonly string[], details: Details) {
  return {
    firstName: name,
    lastName: details.lastName ?? 'Tester',
    password: PASSWORD,
    gender: details.gender ?? 'Female',
    dob: details.dob ?? '1994-04-12',
    lookingFor: 'serious',
    interestedIn: details.interestedIn ?? ['male', 'female', 'other'],
    preferences: details.preferences ?? { ageRange: [18, 100], distanceMiles: 1000 },
    visibilityMode: details.visibilityMode ?? 'auto',
    interests: details.interests ?? ['Music', 'Travel'],
    photos,
  }
}

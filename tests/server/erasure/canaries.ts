import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { type MemberId, MessageId } from '../../../domain/shared/ids.ts'
import { listMessages } from '../../../projections/conversations/queries.ts'
import { actingAs } from '../../../usecases/acting.ts'
import { markRead } from '../../../usecases/chat/mark-read.ts'
import { addMedia } from '../../../usecases/profile/add-media.ts'
import { report } from '../../../usecases/safety/report.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** Words that nobody else uses, one for each field that a member can fill. */
export function createCanaries() {
  const token = `cn${randomBytes(5).toString('hex')}`
  const used: string[] = []
  const phone = `+1415${randomInt(1e9, 9e9)}`
  return {
    phone,
    /** Another word, as a part of what stands in the field. */
    word(): string {
      const word = `${token}x${String(used.length + 1).padStart(2, '0')}`
      used.push(word)
      return word
    },
    /** All that were used. */
    words: () => [...used, phone.slice(1)],
  }
}
export type Canaries = ReturnType<typeof createCanaries>

/** A member who puts a canary wherever one fits, changes it, and sends it to `friend`. */
export async function fillEverything(world: World, friend: Person, { word, phone }: Canaries): Promise<Person> {
  const { services } = world
  const email = `${word()}@example.com`
  const who = await world.member(word(), { email, lastName: word(), location: { lat: 40.0123, lng: 10.0456 } })
  for (let round = 0; round < 2; round++) {
    const three = () => [word(), word(), word()]
    const place = { city: word(), state: word(), location: word() }
    const lists = { interests: three(), hobbies: [word()], likes: [word()], dislikes: [word()] }
    // A name changes once in a while.
    const name = round === 0 ? { firstName: word(), lastName: word() } : {}
    const words = { bio: `I am ${word()}`, orientation: word(), phone }
    await world.edit(who, { ...name, ...words, ...place, ...lists })
  }
  await addPicture(world, who, word)
  await world.match(who, friend)
  await world.settled()
  for (let round = 0; round < 3; round++) {
    const id = MessageId.parse(`note-${word()}`)
    await world.sendMessage(who, friend, `${word()} says hello`, id)
    await world.settled()
    const read = await markRead(actingAs(world.context, friend.id), { other: who.id, upTo: id })
    if (!read.ok) throw new Error(read.reason)
  }
  await reportAs(world, who, { target: friend.id, reason: word(), message: null })
  await services.sessions.create({ member: who.id, remember: true, label: word() })
  await services.mailer.send({ to: email, subject: word(), text: word(), html: word() })
  const request = { member: who.id, route: 'PUT /users/me', key: randomUUID(), request: word() }
  const claim = await services.idempotency.claim(request)
  if (claim.state !== 'first') throw new Error(claim.state)
  await services.idempotency.keep(claim.claimed, { status: 200, body: word() })
  const emailKey = services.credentials.emailKey(email)
  const { token: proof } = await services.proofs.issue({ email, emailKey })
  await services.proofs.changeDraft(proof, () => ({ firstName: word() }))
  await services.codes.issue('reset', emailKey)
  await services.loginGuard.before({ emailKey })
  await services.loginGuard.succeeded({ emailKey })
  await services.loginGuard.before({ emailKey })
  await world.settled()
  return who
}

async function addPicture(world: World, who: Person, word: () => string): Promise<void> {
  const file = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#369' } })
    .withExif({ IFD0: { ImageDescription: word(), Artist: word() } })
    .jpeg()
    .toBuffer()
  const uploaded = await world.services.media.upload({ owner: { member: who.id }, purpose: 'photo', file })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const item = { media: uploaded.media.id, caption: word(), commandId: randomUUID() }
  const added = await addMedia(actingAs(world.context, who.id), item)
  if (!added.ok) throw new Error(added.reason)
}

/** A case that quotes the member: it keeps its evidence, sealed under a key of its own (ruling R26). */
export async function reportThem(world: World, by: Person, target: MemberId): Promise<void> {
  const theirs = (await listMessages(world.read, by.id, target))?.messages.find(({ from }) => from === target)
  await reportAs(world, by, { target, reason: 'Rude', message: theirs?.id ?? null })
  await world.settled()
}

type Reported = { target: MemberId; reason: string; message: MessageId | null }
async function reportAs(world: World, by: Person, reported: Reported): Promise<void> {
  const outcome = await report(actingAs(world.context, by.id), { ...reported, commandId: randomUUID() })
  if (!outcome.ok) throw new Error(outcome.reason)
}

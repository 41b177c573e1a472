import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { REVEAL_REASON_MAX } from '../../../../domain/audit/limits.ts'
import { memberDecider } from '../../../../domain/identity/member.ts'
import { MESSAGE_MAX } from '../../../../domain/pair/limits.ts'
import { FIELD_KEYS } from '../../../../domain/profile/choices.ts'
import {
  BIO_MAX,
  CAPTION_MAX,
  CITY_MAX,
  MAX_HOBBIES,
  MAX_INTERESTS,
  NAME_MAX,
} from '../../../../domain/profile/limits.ts'
import { REASON_MAX } from '../../../../domain/safety/commands.ts'
import { MessageId } from '../../../../domain/shared/ids.ts'
import { actingAs } from '../../../../usecases/acting.ts'
import { addMedia } from '../../../../usecases/profile/add-media.ts'
import { report } from '../../../../usecases/safety/report.ts'
import type { World } from '../../../support/world.ts'
import type { Person } from '../../../support/world-people.ts'
import { chipsOf, inBatches, packed, short } from './fill.ts'

/** One who wrote a string into every field that takes it, and where else it stands. */
export type Writer = {
  readonly text: string
  readonly who: Person
  /** The picture that has it as its caption. */
  readonly media: string
  /** Where whoever unmatched them is led. */
  readonly unmatched: string
}

/** Everybody who comes upon some writers: each of them once in each relationship. */
export type Batch = {
  readonly writers: readonly Writer[]
  /** Their match, who was written to, and reported them. */
  readonly reader: Person
  /** Buzzed by all of them. */
  readonly buzzed: Person
  /** Buzzed all of them. */
  readonly suitor: Person
  readonly blocker: Person
  readonly unmatcher: Person
  /** Opened their sealed fields, with the strings as the reason. */
  readonly auditor: Person
  /** Strangers near some of them and far from everybody else, who are their first cards; with the string of one of them. */
  readonly seekers: readonly { readonly who: Person; readonly text: string }[]
}

/** As many as a page of a list shows. */
export const BATCH = 20
/** The first cards of a deck. */
const CARDS = 3

const must = <T extends { ok: boolean }>(outcome: T): T => {
  if (!outcome.ok) throw new Error(`A set-up step was refused: ${JSON.stringify(outcome)}`)
  return outcome
}

let places = 0
/** In the emptiest of seas, and each far from the last. */
function nextPlace() {
  const at = places++
  return { lat: -55 + (at % 50) * 2, lng: -30 + 10 * Math.floor(at / 50) }
}

/** All of them with their writers, settled. */
export async function batchOf(world: World, strings: readonly string[]): Promise<Batch> {
  const others = await othersOf(world)
  const { people, seekers } = await join(world, strings)
  await world.settled()
  const all = <T>(act: (one: Named, at: number) => Promise<T>) => Promise.all(people.map(act))
  const media = await all(({ who, text }) => fill(world, who, text))
  await all((one) => meet(world, one.who, others))
  await world.settled()
  const messages = await all((one) => writeTo(world, one, others.reader))
  await world.settled()
  await all((one, at) => reportTo(world, { ...one, reader: others.reader, message: messages[at] as MessageId }))
  const unmatched = await all(({ who }) => post(world, others.unmatcher, `/unmatch/${who.id}`, {}))
  for (const { who, text } of [...people, { who: others.auditor, text: strings[0] as string }])
    await post(world, others.auditor, `/audit/${who.id}`, { intent: 'reveal', reason: packed(text, REVEAL_REASON_MAX) })
  await world.settled()
  const writers = people.map((one, at) => ({ ...one, media: media[at] as string, unmatched: unmatched[at] as string }))
  return { writers, seekers, ...others }
}

type Named = { readonly text: string; readonly who: Person }
type Others = Omit<Batch, 'writers' | 'seekers'>

async function othersOf(world: World): Promise<Others> {
  const names = ['Reader', 'Buzzed', 'Suitor', 'Blocker', 'Unmatcher', 'Auditor'] as const
  const people: Person[] = []
  for (const name of names) people.push(await world.join(name))
  const [reader, buzzed, suitor, blocker, unmatcher, auditor] = people as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const role = { type: 'GrantRole', member: auditor.id, role: 'auditor', by: 'admin:test', at: new Date() } as const
  await world.context.dispatch(memberDecider, role, { commandId: world.newCommand(), actor: 'admin:test' })
  return { reader, buzzed, suitor, blocker, unmatcher, auditor }
}

/** Those who write, each few of them at a place of their own with a stranger. */
async function join(world: World, strings: readonly string[]) {
  const seekers: Named[] = []
  const people: Named[] = []
  for (const group of inBatches(strings, CARDS)) {
    const location = nextPlace()
    seekers.push({ who: await world.join('Seeker', { location }), text: group[0] as string })
    for (const text of group) {
      const name = short(text, NAME_MAX)
      people.push({ text, who: await world.join(name, { lastName: name, location }) })
    }
  }
  return { people, seekers }
}

async function meet(world: World, who: Person, { reader, unmatcher, buzzed, suitor, blocker }: Others): Promise<void> {
  await world.match(who, reader)
  await world.match(who, unmatcher)
  await world.buzz(who, buzzed)
  await world.buzz(suitor, who)
  await world.block(blocker, who)
}

/** Sends a form as a page without script does; answers where it leads. */
async function post(world: World, as: Person, path: string, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ ...fields, commandId: randomUUID() })
  const answer = await world.page(path, { method: 'POST', as, body })
  if (answer.status !== 302) throw new Error(`${path} was answered ${answer.status}.`)
  return answer.headers.get('Location') as string
}

/** Everything of a profile; answers the picture with the caption. */
async function fill(world: World, who: Person, text: string): Promise<string> {
  const line = short(text, CITY_MAX)
  const [interests, hobbies] = [chipsOf(text, MAX_INTERESTS), chipsOf(text, MAX_HOBBIES)]
  const everybody = Object.fromEntries(FIELD_KEYS.map((key) => [key, 'public' as const]))
  await world.edit(who, {
    bio: packed(text, BIO_MAX),
    city: line,
    state: line,
    location: line,
    orientation: line,
    interests,
    hobbies,
    likes: interests,
    dislikes: hobbies,
    visibilityMode: 'full',
    blur: 'clear',
    fieldVisibility: everybody,
  })
  const file = await picture()
  const uploaded = await world.services.media.upload({ owner: { member: who.id }, purpose: 'photo', file })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const { id: media } = uploaded.media
  const item = { media, caption: packed(text, CAPTION_MAX), commandId: randomUUID() }
  must(await addMedia(actingAs(world.context, who.id), item))
  return media
}

let drawn: Promise<Buffer> | undefined
function picture(): Promise<Buffer> {
  drawn ??= sharp({ create: { width: 60, height: 75, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer()
  return drawn
}

async function writeTo(world: World, { text, who }: Named, reader: Person): Promise<MessageId> {
  const message = MessageId.parse(randomUUID())
  await world.sendMessage(who, reader, packed(text, MESSAGE_MAX), message)
  return message
}

type Reported = Named & { readonly reader: Person; readonly message: MessageId }
/** The message, in the same words. */
async function reportTo(world: World, { who, text, reader, message }: Reported): Promise<void> {
  const reason = packed(text, REASON_MAX)
  must(await report(actingAs(world.context, reader.id), { target: who.id, reason, message, commandId: randomUUID() }))
}

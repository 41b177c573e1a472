import type { PairCommand } from '../../domain/pair/commands.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { soughtAs } from '../../domain/profile/choices.ts'
import { addMs, hours, minutes } from '../../domain/shared/dates.ts'
import { type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { send } from '../../usecases/act.ts'
import { actingAs } from '../../usecases/acting.ts'
import type { Ports } from '../../usecases/ports.ts'
import { OPENERS, REPLIES } from './bios.ts'
import type { Inhabitant } from './join.ts'
import type { Persona } from './people.ts'
import type { Chance } from './random.ts'

/** What became of two members: the first buzzed; perhaps the second did too, and they wrote to each other. */
export type Meeting = {
  readonly first: MemberId
  readonly second: MemberId
  readonly at: Date
  readonly matched: boolean
  /** In turns; `by` is the sender of each. */
  readonly messages: readonly { readonly by: MemberId; readonly text: string }[]
  /** Who has read all of it. */
  readonly readers: readonly MemberId[]
}

/** The reply that goes with each opener. */
const ANSWERS = [6, 0, 1, 2, 4, 3, 7, 5] as const

/** Would like each other: by gender both ways, and of an age for both. */
export function fits(a: Persona, b: Persona): boolean {
  const likes = (one: Persona, other: Persona) => {
    const [min, max] = one.answers.preferences.ageRange
    return one.answers.interestedIn.includes(soughtAs(other.answers.gender)) && other.age >= min && other.age <= max
  }
  return likes(a, b) && likes(b, a)
}

type Days = readonly [number, number]
const someTime = (chance: Chance, now: Date, [from, to]: Days) =>
  addMs(now, -hours(from * 24) - Math.floor(chance.next() * hours((to - from) * 24)))

/** Openers with their replies, taking turns; `silent` leaves the last one unanswered. */
function conversation(chance: Chance, a: MemberId, b: MemberId, rounds: number, silent: boolean): Meeting['messages'] {
  const chosen = chance.some([...OPENERS.keys()], rounds)
  const messages = chosen.flatMap((index, round) => {
    const [asks, answers] = round % 2 === 0 ? [a, b] : [b, a]
    return [
      { by: asks, text: OPENERS[index]! },
      { by: answers, text: REPLIES[ANSWERS[index]!]! },
    ]
  })
  return silent ? messages.slice(0, -1) : messages
}

/** Likes, matches and conversations among members, each pair once. */
export function planMeetings(chance: Chance, people: readonly Inhabitant[], now: Date): Meeting[] {
  const visible = people.filter(({ persona }) => persona.answers.visibilityMode !== 'hidden')
  const seen = new Set<string>()
  return visible.flatMap((one): Meeting[] => {
    const other = chance.some(visible, 12).find((candidate) => {
      const known = seen.has(pairIdOf(one.member, candidate.member))
      return candidate !== one && !known && fits(one.persona, candidate.persona)
    })
    if (!other || chance.chance(0.25)) return []
    seen.add(pairIdOf(one.member, other.member))
    const [first, second] = [one.member, other.member]
    const matched = chance.chance(0.45)
    const wrote = matched && chance.chance(0.6)
    const messages = wrote ? conversation(chance, first, second, chance.between(1, 3), chance.chance(0.4)) : []
    return [{ first, second, at: someTime(chance, now, [1, 12]), matched, messages, readers: [first, second] }]
  })
}

/**
 * Something to see for whoever signs in: a conversation, an unread one, a new match, and likes that wait. A login that
 * is known already only gets likes.
 */
export function planFor(
  chance: Chance,
  me: MemberId,
  company: readonly Inhabitant[],
  { known, now }: { known: boolean; now: Date },
): Meeting[] {
  const ids = company.map(({ member }) => member)
  const [friend, writer, fresh] = known ? [] : ids
  const liked = known ? ids.slice(0, 3) : ids.slice(3)
  const matched = { first: me, matched: true, messages: [], readers: [] }
  const meetings: Meeting[] = liked.map((first) => {
    return { first, second: me, at: someTime(chance, now, [0.4, 3]), matched: false, messages: [], readers: [] }
  })
  if (friend) {
    const messages = conversation(chance, friend, me, 3, false)
    meetings.push({ ...matched, second: friend, at: someTime(chance, now, [4, 6]), messages, readers: [me, friend] })
  }
  if (writer) {
    const messages = [
      ...conversation(chance, writer, me, 1, false),
      { by: writer, text: 'Coffee this week? I know a place.' },
    ]
    meetings.push({ ...matched, second: writer, at: someTime(chance, now, [0.2, 0.3]), messages })
  }
  if (fresh) meetings.push({ ...matched, second: fresh, at: someTime(chance, now, [0.05, 0.1]) })
  return meetings.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/**
 * Has the two do it, command by command; under the same key a second time does nothing new. A refusal ends it: whoever
 * signed in meanwhile did it their way.
 */
export async function act(tools: Ports, key: string, meeting: Meeting): Promise<void> {
  const { first, second, at } = meeting
  let step = 0
  const id = (what: string) => uuidFrom('demo', key, first, second, what, step)
  const dispatch = async (me: MemberId, command: PairCommand): Promise<boolean> => {
    step++
    return (await send(actingAs(tools, me), { commandId: id('command') }, pairDecider, command)).ok
  }
  if (!(await dispatch(first, { type: 'Buzz', from: first, to: second, via: 'discover', at })) || !meeting.matched)
    return
  const back = { type: 'Buzz', from: second, to: first, via: 'discover', at: addMs(at, minutes(9)) } as const
  if (!(await dispatch(second, back))) return
  let number = 0
  for (const { by, text } of meeting.messages) {
    number++
    const message = id('message') as MessageId
    const to = by === first ? second : first
    const sent = { message, from: by, to, text, media: null, at: addMs(at, minutes(9 + 7 * number)) }
    if (!(await dispatch(by, { type: 'SendMessage', ...sent }))) return
    const read = { upTo: message, number, at: addMs(sent.at, minutes(2)) }
    const replies = meeting.readers.includes(to) || meeting.messages.slice(number).some((message) => message.by === to)
    if (replies) await dispatch(to, { type: 'MarkRead', by: to, other: by, ...read })
  }
}

import { OPENER_QUESTIONS } from './opener-questions.ts'
import { GREETINGS, QUESTIONS, SHARED_INTEREST, SHARED_TOWN, THEIR_TOWN, VIBE_QUESTIONS } from './opener-sentences.ts'

/** One of the two, with what the reader may see of them. */
export type OpenerSide = {
  readonly id: string
  readonly firstName: string
  readonly interests?: readonly string[]
  readonly city?: string
  readonly vibe?: string
}
export type OpenerFor = {
  /** Who reads them. */
  readonly me: OpenerSide
  readonly other: OpenerSide
  /** The next day, by UTC, brings others. */
  readonly now: Date
}
type Openers = [string, string, string]
type Pick = <T>(from: readonly T[]) => T
/** Sentences about one thing, any of which would do. */
type Topic = { readonly kind: 'interest' | 'town' | 'vibe' | 'any'; readonly sentences: readonly string[] }

/**
 * Three first messages for a match: what both share comes first, in two kinds where there are two; the third greets by name.
 * The same for a pair all day long.
 */
export function openersFor({ me, other, now }: OpenerFor): Openers {
  const pick = pickerFrom([...[me.id, other.id].sort(), now.toISOString().slice(0, 10)].join(' '))
  const topics = [...shuffled(sharedTopics(me, other), pick), ...shuffled(theirTopics(me, other), pick), ANYTHING]
  const first = topics[0] as Topic
  const second = topics.find(({ kind }) => kind !== first.kind && kind !== 'any') ?? topics[1] ?? ANYTHING
  const opener = pick(first.sentences)
  const next = pick(second.sentences.filter((sentence) => sentence !== opener))
  return [opener, next, pick(GREETINGS).replace('{name}', other.firstName)]
}

const ANYTHING: Topic = { kind: 'any', sentences: QUESTIONS }

function sharedTopics(me: OpenerSide, other: OpenerSide): Topic[] {
  const town = sameTown(me, other) ? [{ kind: 'town', sentences: named(SHARED_TOWN, other.city) } as const] : []
  const vibe = me.vibe === other.vibe ? (VIBE_QUESTIONS[other.vibe ?? ''] ?? []) : []
  const interests = (other.interests ?? []).filter((interest) => me.interests?.includes(interest))
  return [
    ...interests.map(
      (interest): Topic => ({
        kind: 'interest',
        sentences: SHARED_INTEREST.map((words) => `${words.replace('{it}', interest)} ${questionOf(interest)}`.trim()),
      }),
    ),
    ...town,
    ...(vibe.length > 0 ? [{ kind: 'vibe', sentences: vibe } as const] : []),
  ]
}

function theirTopics(me: OpenerSide, other: OpenerSide): Topic[] {
  const interests = (other.interests ?? []).filter((interest) => !me.interests?.includes(interest))
  const asked = interests.flatMap((interest): Topic[] => {
    const question = questionOf(interest)
    return question ? [{ kind: 'interest', sentences: [question] }] : []
  })
  if (!other.city || sameTown(me, other)) return asked
  return [...asked, { kind: 'town', sentences: named(THEIR_TOWN, other.city) }]
}

const questionOf = (interest: string): string => questions.get(interest) ?? ''
const questions = new Map<string, string>(Object.entries(OPENER_QUESTIONS))

const named = (sentences: readonly string[], town = '') => sentences.map((one) => one.replace('{town}', town))

/** "Berlin" is "berlin, Germany" to its people. */
const townOf = (city = '') => city.split(',')[0]!.trim().toLowerCase()
const sameTown = (me: OpenerSide, other: OpenerSide) =>
  townOf(other.city) !== '' && townOf(me.city) === townOf(other.city)

/** Chooses alike for the same text: a linear congruential generator, begun with a hash of the text (FNV-1a). */
function pickerFrom(text: string): Pick {
  let state = 0x811c9dc5
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The upper bits alone are random enough.
    return from[Math.floor((state / 2 ** 32) * from.length)]!
  }
}

function shuffled<T>(all: readonly T[], pick: Pick): T[] {
  const left = [...all]
  return all.map(() => left.splice(left.indexOf(pick(left)), 1)[0]!)
}

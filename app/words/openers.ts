import { OPENER_QUESTIONS } from './opener-questions.ts'

type Known = { firstName: string; interests?: readonly string[]; city?: string }

/** Three first messages for a match, from what the viewer may see of the profile alone; shared interests come first. */
export function openersFor(other: Known, mine: readonly string[]): [string, string, string] {
  const shared = other.interests?.filter((interest) => mine.includes(interest)) ?? []
  const theirs = other.interests?.filter((interest) => !mine.includes(interest)) ?? []
  const openers = [
    ...[...shared, ...theirs].flatMap((interest) => questions.get(interest) ?? []),
    ...(other.city ? [`What is the best corner of ${other.city} that nobody knows?`] : []),
    `Hi ${other.firstName}, what was the best part of your week?`,
    'Window seat or aisle?',
    'What would you cook for someone you like?',
  ]
  return [openers[0]!, openers[1]!, openers[2]!]
}

const questions = new Map<string, string>(Object.entries(OPENER_QUESTIONS))

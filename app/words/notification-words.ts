import type { BuzzRefusal } from '../../usecases/pair/buzz.ts'
import { BUZZ_WORDS } from './pair-words.ts'
import { PIPELINE_WORDS, type WordTable } from './words.ts'

/** One notification, by the screen and by the calls. */
export const INBOX_WORDS = { ...PIPELINE_WORDS, unknown: { status: 404, error: 'Not found' } } as const

const failed = ({ status }: { status: number }) => ({ status, error: 'Could not accept match right now.' })

/** "Match Back", as the notifications screen words what it was refused for (spec 2 §8). */
export const MATCH_BACK_WORDS: WordTable<BuzzRefusal> = {
  ...BUZZ_WORDS,
  conflict: failed(BUZZ_WORDS.conflict),
  reused: failed(BUZZ_WORDS.reused),
  self: failed(BUZZ_WORDS.self),
  blocked: failed(BUZZ_WORDS.blocked),
  closed: failed(BUZZ_WORDS.closed),
  unknown: failed(BUZZ_WORDS.unknown),
  'already-buzzed': failed(BUZZ_WORDS['already-buzzed']),
  'too-soon': failed(BUZZ_WORDS['too-soon']),
}

/** What a buzz back came to. */
export const matchBackDone = ({ matched }: { matched: boolean }) => ({
  text: matched ? "It's a match!" : 'Match request sent!',
  matched,
})

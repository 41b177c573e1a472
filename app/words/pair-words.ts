import type { PairRefusal } from '../../domain/pair/decider.ts'
import { PIPELINE_WORDS, type WordTable } from './words.ts'

type Reason = PairRefusal | 'conflict' | 'reused' | 'slow-down' | 'closed' | 'unknown' | 'too-long' | 'invalid-media'
const INVALID = { status: 400, error: 'Invalid request.' } as const
const NOT_FOUND = { status: 404, error: 'Not found' } as const
const NOT_MATCHED = { status: 409, error: 'You need to be matched first!' } as const

const everywhere: WordTable<Reason> = {
  ...PIPELINE_WORDS,
  self: INVALID,
  blocked: { status: 403, error: 'Could not buzz right now.' },
  closed: { status: 403, error: 'Could not buzz right now.' },
  unknown: NOT_FOUND,
  'already-buzzed': { status: 400, error: "You've already buzzed this user." },
  'already-matched': { status: 400, error: "You've already matched with this user!" },
  'not-matched': NOT_MATCHED,
  'not-buzzed': { status: 409, error: 'There is no open buzz to take back.' },
  'not-blocked': NOT_FOUND,
  'not-skipped': NOT_FOUND,
  'too-soon': { status: 403, error: 'Could not buzz right now.' },
  empty: { status: 400, error: 'Write something first.' },
  'too-long': { status: 400, error: 'A message has at most 4,000 characters.' },
  'invalid-media': { status: 400, error: 'Invalid media' },
  'unknown-message': NOT_FOUND,
}

/** A like, as a profile, a card and `POST /likes` word it (spec 2 §8, api-contract C07). */
export const BUZZ_WORDS: WordTable<Reason> = {
  ...everywhere,
  'slow-down': { status: 429, error: 'Slow down 🙂 You can buzz again in a bit.' },
}
/** Skip, block, unblock and unmatch. */
export const PAIR_WORDS = everywhere
/** Chat, by form, call and socket (api-contract N5). */
export const CHAT_WORDS: WordTable<Reason> = {
  ...everywhere,
  unknown: NOT_MATCHED,
  blocked: NOT_MATCHED,
  'slow-down': { status: 429, error: 'Slow down a little. Your message waits.' },
}

import type { BuzzOutcome } from '../../usecases/pair/buzz.ts'
import { BUZZ_WORDS } from './pair-words.ts'
import { type Worded, worded } from './words.ts'

const FAILED = 'Could not accept match right now.'

/** "Match Back", as the notifications screen words what it came to (spec 2 §8). */
export function matchBackWords(outcome: BuzzOutcome): { ok: true; text: string; matched: boolean } | Worded {
  if (outcome.ok) {
    const { matched } = outcome.value
    return { ok: true, text: matched ? "It's a match!" : 'Match request sent!', matched }
  }
  if (outcome.reason === 'already-matched' || outcome.reason === 'slow-down') return worded(BUZZ_WORDS, outcome)
  return { ...worded(BUZZ_WORDS, outcome), error: FAILED }
}

import { AWAY, type UnavailableReply } from './unavailable.ts'

/** What a form without an answer shows: none came (`network`), one came that is not ours (`unreadable`), or a 5xx. */
export type UnansweredWords = { readonly network: string; readonly unreadable: string; readonly failed: string }

/** Beside what was typed when a session was over, once its member is back. */
export const NOT_SENT = 'You are signed in again. What you typed is here, and was not sent yet.'

export const NETWORK = 'Network error. Please check your connection.'

/** spec 2 §8 */
export const UNANSWERED_WORDS: UnansweredWords = {
  network: NETWORK,
  unreadable: 'Something went wrong. Please try again in a moment.',
  failed: 'Something went wrong on our side. Please try again in a moment.',
}

/** One sentence for whatever came back. */
export const whatever = (words: string, network = NETWORK): UnansweredWords => ({
  network,
  unreadable: words,
  failed: words,
})

/** Of a buzz, wherever it is sent, and of a profile's other forms (spec 1 §8, spec 2 §8). */
export const BUZZ_UNANSWERED = whatever('Could not buzz right now.', `Something went wrong. ${NETWORK}`)

/** Of the forms of every page, by intent (spec 1 §8, spec 2 §8). */
export const EVERYWHERE_UNANSWERED = {
  buzz: BUZZ_UNANSWERED,
  'match-back': whatever('Could not accept match right now.'),
} as const

/** What every form shows as it shows that the server is away. */
export function unansweredReply(error: string): UnavailableReply {
  const { status, retryInMs } = AWAY
  return { ok: false, unavailable: true, status, error, retryInMs, fields: { '': error }, values: {} }
}

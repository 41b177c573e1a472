import { AWAY, type UnavailableReply } from './unavailable.ts'

/** What a form without an answer shows: none came (`network`), one came that is not ours (`unreadable`), or a 5xx. */
export type UnansweredWords = { readonly network: string; readonly unreadable: string; readonly failed: string }

/** Beside what was typed when a session was over, once its member is back. */
export const NOT_SENT = 'You are signed in again. What you typed is here, and was not sent yet.'

/** spec 2 §8 */
export const UNANSWERED_WORDS: UnansweredWords = {
  network: 'Network error. Please check your connection.',
  unreadable: 'Something went wrong. Please try again in a moment.',
  failed: 'Something went wrong on our side. Please try again in a moment.',
}

/** spec 1 §8 */
export const LOGIN_UNANSWERED: UnansweredWords = {
  ...UNANSWERED_WORDS,
  network: 'Network error, please try again',
  unreadable: 'Server returned non-JSON response',
}

/** spec 2 §8 */
export const BUZZ_UNANSWERED: UnansweredWords = {
  ...UNANSWERED_WORDS,
  unreadable: 'Could not buzz right now.',
  failed: 'Could not buzz right now.',
}

/** Of the forms of a forgotten password, by intent (spec 1 §8). */
export const RESET_UNANSWERED = {
  request: { ...UNANSWERED_WORDS, unreadable: 'Failed to send reset email', failed: 'Failed to send reset email' },
  reset: { ...UNANSWERED_WORDS, unreadable: 'Reset failed. Try again.', failed: 'Reset failed. Try again.' },
} as const

/** Of the forms that end an account, by intent (spec 2 §8). */
export const LEAVING_UNANSWERED = {
  deactivate: {
    network: 'Could not deactivate account.',
    unreadable: 'Could not deactivate account.',
    failed: 'Failed to deactivate',
  },
  delete: {
    network: 'Could not delete account.',
    unreadable: 'Could not delete account.',
    failed: 'Failed to delete',
  },
} as const

export const SIGNOUT_UNANSWERED: UnansweredWords = {
  network: 'Network error. You are still signed in.',
  unreadable: 'Could not sign out. You are still signed in.',
  failed: 'Could not sign out. You are still signed in.',
}

/** Of the sign-up's forms, by intent (spec 2 §8). */
export const SIGNUP_UNANSWERED = {
  send: {
    network: 'Error sending verification code.',
    unreadable: 'Failed to send code.',
    failed: 'Failed to send code.',
  },
} as const

/** What every form shows as it shows that the server is away. */
export function unansweredReply(error: string): UnavailableReply {
  const { status, retryInMs } = AWAY
  return { ok: false, unavailable: true, status, error, retryInMs, fields: { '': error }, values: {} }
}

import { UNANSWERED_WORDS, type UnansweredWords, whatever } from './unanswered.ts'

/** spec 1 §8 */
export const LOGIN_UNANSWERED: UnansweredWords = {
  ...UNANSWERED_WORDS,
  network: 'Network error, please try again',
  unreadable: 'Server returned non-JSON response',
}

/** Of the forms of a forgotten password, by intent (spec 1 §8). */
export const RESET_UNANSWERED = {
  request: whatever('Failed to send reset email'),
  reset: whatever('Reset failed. Try again.'),
} as const

/** Of the forms that end an account, by intent (spec 2 §8). */
export const LEAVING_UNANSWERED = {
  deactivate: leaving('Could not deactivate account.', 'Failed to deactivate'),
  delete: leaving('Could not delete account.', 'Failed to delete'),
} as const

function leaving(words: string, failed: string): UnansweredWords {
  return { ...whatever(words, words), failed }
}

export const SIGNOUT_UNANSWERED: UnansweredWords = whatever(
  'Could not sign out. You are still signed in.',
  'Network error. You are still signed in.',
)

const NOT_REGISTERED = 'Registration failed. Please try again.'

/** Of the wizard's last step, by its button (spec 1 §8). */
export const REGISTRATION_UNANSWERED = { on: whatever(NOT_REGISTERED, NOT_REGISTERED) } as const

/** Of the sign-up's forms, by intent (spec 2 §8). */
export const SIGNUP_UNANSWERED = {
  send: whatever('Failed to send code.', 'Error sending verification code.'),
} as const

import type { ForgotPasswordRefusal } from '../../usecases/identity/forgot-password.ts'
import type { LogInRefusal } from '../../usecases/identity/log-in.ts'
import type { MailRefusal } from '../../usecases/identity/mail-limit.ts'
import type { ResetRefusal } from '../../usecases/identity/reset-password.ts'
import type { SendCodeRefusal } from '../../usecases/identity/send-code.ts'
import type { GoogleRefusal } from '../../usecases/identity/sign-in-with-google.ts'
import type { VerifyCodeRefusal } from '../../usecases/identity/verify-code.ts'
import { passwordWords } from './password-words.ts'
import { ENTER_CODE } from './second-factor-words.ts'
import { AWAY } from './unavailable.ts'
import type { WordTable } from './words.ts'

export const INVALID_CODE = 'Invalid or expired code.'
export const CODE_SENT = 'Verification code sent to your email.'
export const RESET_SENT = 'Verification code sent to your email. Check Inbox or Spam'
export const RESET_DONE = 'Password reset successful! Please login.'
/** Instead of the same words, of the link that undoes a second factor and is dead (decision 0021). */
export const UNDO_LINK_DEAD = `${INVALID_CODE} You can still set a new password with a code. If 2-step verification was turned on less than 7 days ago, the mail that confirms it has a new link to turn it off.`
/** Of the link that undoes a second factor as well. */
export const UNDO_DONE = 'Password reset successful! 2-step verification is off. Please login.'

/** The login shows it to who was on the way to a page for members. */
export const SIGN_IN = 'Log in to go on.'
/** Beside a form that could not be carried to the login, and to an account that is deactivated. */
export const SIGN_IN_ELSEWHERE = 'Log in in another tab'
export const DEACTIVATED = 'Your account is deactivated.'
export const COME_BACK_ELSEWHERE = 'Come back to your account in another tab'
/** The same to whose session ended by itself or from elsewhere. */
export const SESSION_ENDED = `Your session has ended. ${SIGN_IN}`

/** To whoever has made an account and did not get the answer. */
export const ACCOUNT_READY = 'Your account is ready. Please log in.'

const INVALID_EMAIL = { status: 400, error: 'Please enter a valid email address.', field: 'email' } as const
const MAIL_LIMIT_WORDS: WordTable<MailRefusal> = {
  'slow-down': { status: 429, error: 'Too many requests. Please try again {wait}.' },
  'code-issued': { status: 429, error: 'A code is on its way. You can ask for another one {wait}.' },
}

/** Signing in with a password (api-contract C01). */
export const LOG_IN_WORDS: WordTable<LogInRefusal> = {
  missing: { status: 400, error: 'Email and password are required.' },
  'invalid-credentials': { status: 401, error: 'Invalid credentials' },
  suspended: { status: 403, error: 'Account suspended' },
  'second-factor': ENTER_CODE,
  'slow-down': { status: 429, error: 'Too many tries. You can try again {wait}.' },
  'mail-link-needed': {
    status: 429,
    error: 'Too many wrong passwords. Ask for a new one with Forgot password: the link in the mail still works.',
  },
}

/** Signing in with Google (api-contract C04). */
export const GOOGLE_WORDS: WordTable<GoogleRefusal> = {
  'missing-token': { status: 400, error: 'Missing Google credential' },
  'google-failed': { status: 401, error: 'Google login failed' },
  'google-away': { ...AWAY, error: 'Signing in with Google does not work right now. Please try again in a moment.' },
  'password-account': { status: 409, error: 'Please login with your password.' },
  suspended: { status: 403, error: 'Account suspended' },
  'second-factor': ENTER_CODE,
  'slow-down': { status: 429, error: 'Too many requests. Please try again later.' },
}

/** The same on the page of signing up (spec 2 §8). */
export const GOOGLE_SIGN_UP_WORDS: WordTable<GoogleRefusal> = {
  ...GOOGLE_WORDS,
  'google-failed': { status: 401, error: 'Google signup failed. Please try again.' },
  'google-away': { ...AWAY, error: 'Signing up with Google does not work right now. Please try again in a moment.' },
}

/** Asking for a sign-up code (api-contract C76). */
export const SEND_CODE_WORDS: WordTable<SendCodeRefusal> = {
  'invalid-email': INVALID_EMAIL,
  ...MAIL_LIMIT_WORDS,
  'mail-failed': { status: 502, error: 'Failed to send code.' },
}

/** Giving the sign-up code (api-contract N1). */
export const VERIFY_CODE_WORDS: WordTable<VerifyCodeRefusal> = {
  'invalid-email': INVALID_EMAIL,
  'malformed-code': { status: 400, error: 'Please enter the 6-digit code.', field: 'code' },
  'wrong-code': { status: 400, error: 'Incorrect code. Please check again.', field: 'code' },
  'invalid-code': { status: 400, error: INVALID_CODE, field: 'code' },
}

/** Asking for a code to set a new password (api-contract C02). */
export const FORGOT_WORDS: WordTable<ForgotPasswordRefusal> = {
  'invalid-email': INVALID_EMAIL,
  ...MAIL_LIMIT_WORDS,
  'mail-down': { status: 503, error: 'Failed to send reset email' },
}

/** Setting a new password with a code or link (api-contract C03). */
export function resetWords(config: { readonly passwordMin: number }): WordTable<ResetRefusal> {
  return {
    ...passwordWords(config, 'newPassword'),
    'passwords-differ': { status: 400, error: 'Passwords do not match.', field: 'confirm' },
    'invalid-code': { status: 400, error: INVALID_CODE, field: 'code' },
    'slow-down': { status: 429, error: 'Too many attempts. Please try again {wait}.' },
  }
}

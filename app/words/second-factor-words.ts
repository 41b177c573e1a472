import type { ConfirmRefusal } from '../../usecases/second-factor/confirm.ts'
import type { GiveCodeRefusal } from '../../usecases/second-factor/give-code.ts'
import type { ChangeRefusal } from '../../usecases/second-factor/may-change.ts'
import type { OwnCodeRefusal } from '../../usecases/second-factor/own-code.ts'
import type { CodeRefusal } from '../../usecases/second-factor/spend-code.ts'
import type { StartRefusal } from '../../usecases/second-factor/start.ts'
import { PIPELINE_WORDS, type WordTable } from './words.ts'

export const TOO_MANY_TRIES = { status: 429, error: 'Too many tries. You can try again {wait}.' } as const
/** Of a sign-in whose password was right; the page that asks for the code shows it too. */
export const ENTER_CODE = { status: 403, error: 'Enter your code.', code: 'second_factor' } as const
export const LOGIN_AGAIN = { status: 403, error: 'Please login again.', code: 'reauth' } as const

/** The login shows it to whom the page of the code sends back. */
export const SIGN_IN_OVER = 'This sign-in is over. Please login again.'

/** The code of a second factor (ruling R37). */
export const CODE_WORDS: WordTable<CodeRefusal> = {
  'code-required': { ...ENTER_CODE, field: 'code' },
  'wrong-code': { ...ENTER_CODE, error: 'Incorrect code. Please check again.', field: 'code' },
  'too-many-codes': TOO_MANY_TRIES,
  'recovery-code-needed': { status: 429, error: 'Too many wrong codes. Use a recovery code.', field: 'code' },
}

/** The same of who is signed in. */
export const OWN_CODE_WORDS: WordTable<OwnCodeRefusal> = {
  ...CODE_WORDS,
  'used-code': { ...ENTER_CODE, error: 'That code was used already. Wait for the next one.', field: 'code' },
}

/** Ending a sign-in with it (api-contract C01). */
export const GIVE_CODE_WORDS: WordTable<GiveCodeRefusal> = {
  ...CODE_WORDS,
  'sign-in-over': { status: 401, error: SIGN_IN_OVER },
  suspended: { status: 403, error: 'Account suspended' },
  'slow-down': TOO_MANY_TRIES,
}

/** Turning it on (api-contract N15). */
export const START_WORDS: WordTable<StartRefusal> = {
  'login-again': LOGIN_AGAIN,
  'already-on': { status: 409, error: '2-step verification is on already.' },
  'slow-down': PIPELINE_WORDS['slow-down'],
}
export const CONFIRM_WORDS: WordTable<ConfirmRefusal> = {
  'login-again': LOGIN_AGAIN,
  'wrong-code': { status: 400, error: 'Incorrect code. Please check again.', field: 'code' },
  'slow-down': PIPELINE_WORDS['slow-down'],
}

/** Turning it off, and new recovery codes (api-contract N15). */
export const CHANGE_WORDS: WordTable<ChangeRefusal> = {
  ...OWN_CODE_WORDS,
  'login-again': LOGIN_AGAIN,
  'not-on': { status: 409, error: '2-step verification is off.' },
  'slow-down': PIPELINE_WORDS['slow-down'],
}

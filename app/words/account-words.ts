import type { DeletionRefusal } from '../../usecases/identity/delete-account.ts'
import type { ExportRefusal } from '../../usecases/identity/export-data.ts'
import { LOGIN_AGAIN, OWN_CODE_WORDS, TOO_MANY_TRIES } from './second-factor-words.ts'
import { PIPELINE_WORDS, type WordTable } from './words.ts'

const asks = { status: 403, field: 'password', code: 'reauth' } as const

/** Ending sessions (api-contract N3). An unknown one and one of somebody else are the same. */
export const SESSION_WORDS: WordTable<'login-again' | 'slow-down' | 'unknown'> = {
  'login-again': LOGIN_AGAIN,
  'slow-down': PIPELINE_WORDS['slow-down'],
  unknown: { status: 404, error: 'Not found' },
}

/** Also where the password is wrong: the one sentence of the contract; the page has another one. */
const asksPassword = { ...asks, error: 'Please enter your password.' }

/** Deleting the own account, on its page and by call (api-contract C34). */
export const DELETION_WORDS: WordTable<DeletionRefusal> = {
  ...PIPELINE_WORDS,
  ...OWN_CODE_WORDS,
  unknown: PIPELINE_WORDS.conflict,
  'too-many-tries': TOO_MANY_TRIES,
  'password-required': asksPassword,
  'wrong-password': asksPassword,
}

/** Asking for a copy of the own data, on its page and by call (security §3.3, api-contract N9). */
export const EXPORT_WORDS: WordTable<ExportRefusal> = {
  ...OWN_CODE_WORDS,
  'too-many-tries': TOO_MANY_TRIES,
  'password-required': { ...asks, error: 'Enter your password, so that nobody else takes your data.' },
  'wrong-password': { ...asks, error: 'That is not your password.' },
  'asked-lately': {
    status: 429,
    error: 'You can ask for one copy a day. You can ask again {wait}.',
  },
}

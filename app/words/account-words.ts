import type { DeletionRefusal } from '../../usecases/identity/delete-account.ts'
import type { ExportRefusal } from '../../usecases/identity/export-data.ts'
import { PIPELINE_WORDS, type WordTable } from './words.ts'

const tooManyTries = {
  status: 429,
  error: 'Too many tries. You can try again {wait}.',
} as const
const asks = { status: 403, field: 'password', code: 'reauth' } as const
const wrong = { ...asks, error: 'That is not your password.' }

/** Deleting the own account, on its page and by call (api-contract C34). */
export const DELETION_WORDS: WordTable<DeletionRefusal> = {
  ...PIPELINE_WORDS,
  unknown: PIPELINE_WORDS.conflict,
  'too-many-tries': tooManyTries,
  'password-required': { ...asks, error: 'Please enter your password.' },
  'wrong-password': wrong,
}

/** Asking for a copy of the own data, on its page and by call (security §3.3, api-contract N9). */
export const EXPORT_WORDS: WordTable<ExportRefusal> = {
  'too-many-tries': tooManyTries,
  'password-required': { ...asks, error: 'Enter your password, so that nobody else takes your data.' },
  'wrong-password': wrong,
  'asked-lately': {
    status: 429,
    error: 'You can ask for one copy a day. You can ask again {wait}.',
  },
}

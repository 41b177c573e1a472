import type { Refused } from '../../usecases/outcome.ts'
import { inWords } from './waits.ts'

/** How a screen words what was refused. */
export type Words = {
  /** Of the answer. */
  readonly status: number
  /** The sentence; `{wait}` in it becomes how long to wait, such as 'in 3 minutes'. */
  readonly error: string
  /** The field that the sentence belongs to. */
  readonly field?: string
  /** Where the answer's code is not the reason in snake case. */
  readonly code?: string
  /** How long to wait, where the refusal does not name it. */
  readonly retryInMs?: number
}
/** One entry for each reason, so that the compiler misses none. */
export type WordTable<R extends string> = Readonly<Record<R, Words>>

export type Worded = {
  readonly ok: false
  readonly status: number
  readonly error: string
  readonly code?: string
  readonly retryInMs?: number
  /** Of a sign-in that wants a code: what to send beside it. */
  readonly challenge?: string
  /** The sentence by each field that it belongs to. */
  readonly fields?: Readonly<Record<string, string>>
}

/**
 * The words of one screen for a refusal, with the wait beside them where there is one. Fields that the refusal names go
 * before the one of the table.
 */
export function worded<R extends string>(
  table: WordTable<R>,
  { reason, fields, challenge, ...refused }: Refused<R>,
): Worded {
  const { status, error: sentence, field, code = reason.replaceAll('-', '_'), ...words }: Words = table[reason]
  const retryInMs = refused.retryInMs ?? words.retryInMs
  const error = sentence.replace('{wait}', inWords(retryInMs ?? 0))
  const names = fields ?? (field === undefined ? [] : [field])
  return {
    ok: false,
    status,
    error,
    code,
    ...(retryInMs !== undefined && { retryInMs }),
    ...(challenge !== undefined && { challenge }),
    ...(names.length > 0 && { fields: Object.fromEntries(names.map((name) => [name, error])) }),
  }
}

/**
 * The same for a call: the wait is a number there, and a limit that screens word with their wait has the one sentence of all
 * calls (api-contract §6.0).
 */
export function limitWorded<R extends string>(table: WordTable<R>, refused: Refused<R>): Worded {
  const { status, error } = PIPELINE_WORDS['slow-down']
  const answer = worded(table, refused)
  return answer.status === status && table[refused.reason].error.includes('{wait}') ? { ...answer, error } : answer
}

/** The sentence for a reason that came by the address of a page; null for none and for one that the table has not. */
export function sentenceOf<R extends string>(table: WordTable<R>, reason: string | null): string | null {
  return reason !== null && Object.hasOwn(table, reason) ? table[reason as R].error : null
}

const TRY_AGAIN = { status: 409, error: 'That did not go through. Please try again.' } as const
/** What every command may come to. */
export const PIPELINE_WORDS = {
  conflict: TRY_AGAIN,
  reused: TRY_AGAIN,
  'slow-down': { status: 429, error: 'Too many requests. Please try again later.' },
} as const

/** The words for what the pipeline refused; null for a reason of the command's own. */
export function pipelineWorded(refused: Refused<string>): Worded | null {
  const { reason } = refused
  const known = reason === 'conflict' || reason === 'reused' || reason === 'slow-down'
  return known ? worded(PIPELINE_WORDS, { ...refused, reason }) : null
}

import { STATUS_CODES } from 'node:http'
import { AWAY_WORDS } from './unavailable.ts'

/** The words of a failure that no page or call answered, for people and for programs. */
export const FAILURE_WORDS = {
  400: 'Invalid request.',
  403: 'Request refused',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timed out',
  413: 'File too large',
  415: 'Unsupported file type',
  421: 'Unknown host',
  429: 'Too many requests. Please try again later.',
  500: 'Something went wrong.',
  503: AWAY_WORDS,
} as const

const WORDS: Readonly<Record<number, string>> = FAILURE_WORDS

/** The sentence for a status, whatever made it. */
export const failureWords = (status: number): string => WORDS[status] ?? STATUS_CODES[status] ?? FAILURE_WORDS[500]

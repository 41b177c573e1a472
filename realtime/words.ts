import type { SendRefusal } from '../usecases/chat/send-message.ts'

/** The message of an error frame, and its code (api-contract §6.8), spelled as those of calls: `second_factor`. */
export type SocketWords = { readonly error: string; readonly code: string }

export const NOT_FOUND = { error: 'Not found', code: 'not_found' } as const
export const INVALID = { error: 'Invalid request.', code: 'invalid' } as const
export const TOO_MANY = { error: 'Too many requests. Please try again later.', code: 'rate' } as const
export const UNSUPPORTED = { error: 'Not supported yet.', code: 'unsupported' } as const
export const FAILED = { error: 'Something went wrong.', code: 'failed' } as const

const TRY_AGAIN = 'That did not go through. Please try again.'
/** A block reads the same, so that neither learns what the other did. */
const NOT_MATCHED = { error: 'You need to be matched first!', code: 'not_matched' } as const

/** Why a message was not sent (api-contract N5). Reasons of other commands of the pair come to no message. */
export const MESSAGE_WORDS: Readonly<Record<SendRefusal, SocketWords>> = {
  'not-matched': NOT_MATCHED,
  blocked: NOT_MATCHED,
  'slow-down': { error: 'Slow down a little. Your message waits.', code: 'slow_down' },
  empty: { error: 'Write something first.', code: 'empty' },
  'too-long': { error: 'A message has at most 4,000 characters.', code: 'too_long' },
  'invalid-media': { error: 'Invalid media', code: 'invalid_media' },
  conflict: { error: TRY_AGAIN, code: 'conflict' },
  reused: { error: TRY_AGAIN, code: 'reused' },
  self: INVALID,
  'already-buzzed': INVALID,
  'already-matched': INVALID,
  'not-buzzed': INVALID,
  'not-blocked': INVALID,
  'not-skipped': INVALID,
  'too-soon': INVALID,
  'unknown-message': INVALID,
}

import { inWords } from './waits.ts'
import { PIPELINE_WORDS, type Worded } from './words.ts'

/**
 * Why a page or a form was not even tried: too much came from its address (429), or what it needs is away (503). Never
 * reveals anything about the member or the thing asked for.
 */
export type Unavailable = { readonly status: 429 | 503; readonly retryInMs: number }

/** The log or Postgres does not answer; it is started again by itself within this time. */
export const AWAY: Unavailable = { status: 503, retryInMs: 5_000 }
export const AWAY_WORDS = 'LetsBuzz is not answering right now. Please try again in a moment.'
export const STARTING_WORDS = 'LetsBuzz is starting. It will be here in a moment.'

/** What every form can show, whatever its own answers look like. `unavailable` distinguishes it from those. */
export type UnavailableReply = Worded & {
  readonly unavailable: true
  readonly retryInMs: number
  readonly values: Readonly<Record<string, readonly string[]>>
}

export function unavailableReply({ status, retryInMs }: Unavailable): UnavailableReply {
  const error =
    status === 429 ? `${PIPELINE_WORDS['slow-down'].error} It works again ${inWords(retryInMs)}.` : AWAY_WORDS
  return { ok: false, unavailable: true, status, error, retryInMs, fields: { '': error }, values: {} }
}

/** The reply of this kind in what an action or a failed loader gave, or null. */
export function unavailableIn(reply: unknown): UnavailableReply | null {
  return typeof reply === 'object' && reply !== null && 'unavailable' in reply && reply.unavailable === true
    ? (reply as UnavailableReply)
    : null
}

/** In seconds, for the header. */
export const retryAfter = (retryInMs: number): string => String(Math.max(1, Math.ceil(retryInMs / 1_000)))

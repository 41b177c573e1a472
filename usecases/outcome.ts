/** Why a use case did nothing. Screens put it in words, each by a table of its own. */
export type Refused<R extends string> = {
  readonly ok: false
  readonly reason: R
  /** How long to wait, where waiting helps. */
  readonly retryInMs?: number
  /** Names of what is wrong in the input, where the reason is about that. */
  readonly fields?: readonly string[]
  /** Where a sign-in wants a code first: what to send beside it. */
  readonly challenge?: string
}
/** What a use case came to. */
export type Outcome<T, R extends string> = { readonly ok: true; readonly value: T } | Refused<R>

export const done = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

export function refused<const R extends string>(reason: R, more: Omit<Refused<R>, 'ok' | 'reason'> = {}): Refused<R> {
  return { ok: false, reason, ...more }
}

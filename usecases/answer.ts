/** Field name to what is wrong with it, in words. */
export type Fields = Readonly<Record<string, string>>

/** Why an action did nothing, as every caller reports it: page, call or tool (api-contract §6.0). */
export type Refusal = {
  readonly ok: false
  /** The status of the answer. */
  readonly status: number
  readonly error: string
  readonly code?: string
  readonly retryInMs?: number
  readonly fields?: Fields
}

/** What an action came to. */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refusal

export function done<T>(value: T): Answer<T> {
  return { ok: true, value }
}

export function refused(status: number, error: string, more: Omit<Refusal, 'ok' | 'status' | 'error'> = {}): Refusal {
  return { ok: false, status, error, ...more }
}

/** 429 with the wait in words (api-contract §6.2). */
export function tooMany(retryInMs: number, error = 'Too many requests. Please try again later.'): Refusal {
  return refused(429, error, { retryInMs })
}

/** 'in 45 seconds', 'in 3 minutes', 'in 2 hours': a wait as people say it. */
export function inWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 90) return `in ${seconds} second${seconds === 1 ? '' : 's'}`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`
}

export const TRY_AGAIN = 'That did not go through. Please try again.'

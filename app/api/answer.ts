import type { Worded } from '../words/words.ts'

/** What a call comes to: its value, or a refusal in words (api-contract §6.0). */
export type Answer<T> = { readonly ok: true; readonly value: T } | Worded

export function refusal(status: number, error: string, more: Omit<Worded, 'ok' | 'status' | 'error'> = {}): Worded {
  return { ok: false, status, error, ...more }
}

import { refused } from '../../usecases/outcome.ts'
import { limitWorded, type Worded, type WordTable } from '../words/words.ts'

/** A refusal in words; `missing` is what a restricted mode still wants. */
export type Refusal = Worded & { readonly missing?: readonly string[] }

/** What a call comes to: its value, or a refusal in words (api-contract §6.0). */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refusal

export function refusal(status: number, error: string, more: Omit<Worded, 'ok' | 'status' | 'error'> = {}): Worded {
  return { ok: false, status, error, ...more }
}

/** What a call may answer by a table of words: for all of its reasons, or for those that the call can come to. */
export function refusalsOf<R extends string>(table: WordTable<R>, ...reasons: readonly R[]): readonly Refusal[] {
  const named = reasons.length > 0 ? reasons : (Object.keys(table) as R[])
  return named.map((reason) => limitWorded(table, refused(reason)))
}

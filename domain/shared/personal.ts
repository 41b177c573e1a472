import { z } from 'zod'

/** What an erased member's field decodes to: the fact stays, the words are gone (ruling R26). */
export const Erased = z.object({ erased: z.literal(true) })
export type Erased = z.infer<typeof Erased>

/** A field of an event that is sealed under its subject's key: its value, or the mark that the key was destroyed. */
export type Personal<T> = T | Erased

const subjects = new WeakMap<object, string>()

/**
 * Marks a field of an event as personal data. `subject` names the clear field of the same event that holds the id
 * whose key seals it: a member, or a report for evidence that outlives one.
 */
export function personal<S extends z.ZodType>(subject: string, schema: S) {
  const field = z.union([schema, Erased])
  subjects.set(field, subject)
  return field
}

/** The name of the clear field whose key seals this one, or undefined for a field that stays clear. */
export function subjectFieldOf(schema: object): string | undefined {
  return subjects.get(schema)
}

export function isErased(value: unknown): value is Erased {
  return typeof value === 'object' && value !== null && (value as { erased?: unknown }).erased === true
}

/** The value, or `fallback` when its subject was erased. */
export function valueOr<T, F>(value: Personal<T>, fallback: F): T | F {
  return isErased(value) ? fallback : (value as T)
}

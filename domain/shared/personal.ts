import { z } from 'zod'

/** What an erased member's field decodes to: the fact stays, the words are gone (ruling R26). */
export const Erased = z.object({ erased: z.literal(true) })
export type Erased = z.infer<typeof Erased>

/** A field of an event that is sealed under its subject's key: its value, or the mark that the key was destroyed. */
export type Personal<T> = T | Erased

type Subjects = { readonly subject: string; readonly and?: string }
const subjects = new WeakMap<object, Subjects>()

/**
 * Marks a field of an event as personal data. `subject` names the clear field of the same event that holds the id
 * whose key seals it: a member, or a report for evidence that outlives one. `and`: a second such field, whose key seals what
 * the first has sealed; the value goes with either key.
 */
export function personal<S extends z.ZodType>(subject: string, schema: S, { and }: { readonly and?: string } = {}) {
  const field = z.union([schema, Erased])
  subjects.set(field, { subject, ...(and && { and }) })
  return field
}

/** The name of the clear field whose key seals this one, or undefined for a field that stays clear. */
export function subjectFieldOf(schema: object): string | undefined {
  return subjects.get(schema)?.subject
}

/** The name of the second such field, where there is one. */
export function secondSubjectFieldOf(schema: object): string | undefined {
  return subjects.get(schema)?.and
}

export function isErased(value: unknown): value is Erased {
  return typeof value === 'object' && value !== null && (value as { erased?: unknown }).erased === true
}

/** The value, or `fallback` when its subject was erased. */
export function valueOr<T, F>(value: Personal<T>, fallback: F): T | F {
  return isErased(value) ? fallback : (value as T)
}

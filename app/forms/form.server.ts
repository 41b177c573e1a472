import { parseWithZod } from '@conform-to/zod/v4'
import { redirect } from '@remix-run/node'
import { z } from 'zod'
import type { Refused } from '../../usecases/outcome.ts'
import { type WordTable, worded } from '../words/words.ts'
import type { Constraint, Constraints, FormReply } from './reply.ts'

/** Never sent back to the browser, and of no use to whoever typed. */
const KEPT_BACK = /^(password|newPassword|confirm|link|commandId|intent|live|as)$/

/** What was typed, as typed. */
function valuesOf(form: FormData): FormReply['values'] {
  const names = [...new Set(form.keys())].filter((name) => !KEPT_BACK.test(name))
  return Object.fromEntries(names.map((name) => [name, form.getAll(name).filter((value) => typeof value === 'string')]))
}

/** A reply in which what was typed stays; it names its form by the intent. */
export function replyWith<Done = never>(
  form: FormData,
  status: number,
  fields: FormReply['fields'],
  more: Partial<FormReply<Done>> = {},
): FormReply<Done> {
  const intent = form.get('intent')
  return { status, fields, values: valuesOf(form), ...(typeof intent === 'string' && { form: intent }), ...more }
}

/** What a use case refused, in the words of the page's table; a row may name the field that it belongs to. */
export function refusedReply<R extends string>(
  form: FormData,
  table: WordTable<R>,
  refused: Refused<R>,
): FormReply<never> {
  const { status, error, code, retryInMs, fields = { '': error } } = worded(table, refused)
  return replyWith(form, status, fields, { ...(code && { code }), ...(retryInMs !== undefined && { retryInMs }) })
}

/** A submit by script gets what came of it; a plain form is redirected to its next page. Throws that redirect. */
export function doneReply<Done>(form: FormData, done: Done, then: string, headers: HeadersInit = {}): FormReply<Done> {
  if (!form.has('live')) throw redirect(then, { headers })
  return { status: 200, fields: {}, values: {}, done }
}

/** Also those that only some forms of a page have. */
type FieldOf<T> = T extends unknown ? keyof T & string : never
/** Field to the sentence for whatever is wrong with it. */
export type FieldWords<S extends z.ZodType> = Readonly<Partial<Record<FieldOf<z.input<S>>, string>>>
type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reply: FormReply<never> }

/**
 * Reads a form by its schema, with the words of the page for what is wrong. Empty fields are absent; numbers, dates and
 * boxes become what the schema declares.
 */
export function readForm<S extends z.ZodType>(form: FormData, schema: S, words: FieldWords<S>): Read<z.output<S>> {
  const submission = parseWithZod(plainFields(form), { schema })
  if (submission.status === 'success') return { ok: true, value: submission.value }
  const wrong = [...new Set(Object.keys(submission.error ?? {}).map((path) => path.split(/[.[]/)[0] ?? ''))]
  const sentence = (name: string) => (words as Record<string, string | undefined>)[name] ?? 'Invalid request.'
  const fields = Object.fromEntries(wrong.map((name) => [name in words ? name : '', sentence(name)]))
  return { ok: false, reply: replyWith(form, 400, fields) }
}

/**
 * Without names that the parser takes for more than a name: `a[4000000000]` would be a list of that length, and some are
 * commands of its own. No field of ours is called so.
 */
function plainFields(form: FormData): FormData {
  const plain = new FormData()
  for (const [name, value] of form) if (!/[.[\]]|^__/.test(name)) plain.append(name, value)
  return plain
}

/** The schema's constraints for the loader, so that the browser needs no schema: what must be sent, and its limits. */
export function constraintsOf(schema: z.ZodType): Constraints {
  const sent = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  const required = (name: string) => sent.required?.includes(name) ?? false
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, { required: required(name), ...limitsOf(field) }]),
  )
}

function limitsOf(field: z.core.JSONSchema._JSONSchema): Constraint {
  if (typeof field === 'boolean') return {}
  const { minLength, maxLength: maxCharacters, minimum: min, maximum: max, anyOf: [first] = [] } = field
  if (first) return limitsOf(first)
  return Object.fromEntries(
    Object.entries({ minLength, maxCharacters, min, max }).filter(([, limit]) => limit !== undefined),
  )
}

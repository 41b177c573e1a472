import type { z } from 'zod'
import { done } from '../../usecases/outcome.ts'
import type { Answer } from './answer.ts'
import { sentenceFor } from './input-words.ts'
import { invalid, notFound, unsupported } from './refusal.server.ts'

export type OptionalSchema = z.ZodType | undefined
export type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<never, never>

/** A body as it was sent; `json` is undefined when there is none. */
export type SentBody = { readonly text: string; readonly json: unknown }

/** How long a body of JSON may be (api-contract §6.0). */
export const JSON_BYTES = 64 * 1024
const JSON_TYPE = /^application\/json\s*(;|$)/i
const FORM_TYPE = /^multipart\/form-data\s*(;|$)/i

/** Whether the handler reads the body by itself, as a form. */
function sendsForm(call: BodyFacts, request: Request): boolean {
  return call.form !== undefined && FORM_TYPE.test(request.headers.get('Content-Type') ?? '')
}

type BodyFacts = {
  readonly method: string
  readonly form?: 'multipart' | 'either'
  readonly body?: OptionalSchema
}

/** Whether a call that takes JSON does without. */
export const mayMissBody = ({ form, body }: Pick<BodyFacts, 'form' | 'body'>): boolean =>
  form === undefined && (!body || body.safeParse(undefined).success)

/** Throws for bytes that are no text (api-contract §6.0). */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a request, null where none is read. A call that needs a body takes no other type. */
export async function readBody(call: BodyFacts, request: Request): Promise<Answer<SentBody | null>> {
  if (call.method === 'GET' || sendsForm(call, request)) return done(null)
  const type = request.headers.get('Content-Type')
  if (call.form === 'multipart' || !(type === null ? mayMissBody(call) : JSON_TYPE.test(type))) return unsupported()
  try {
    const text = utf8.decode(await request.arrayBuffer())
    return done({ text, json: text.trim() === '' ? undefined : (JSON.parse(text) as unknown) })
  } catch {
    return invalid()
  }
}

type Schemas<P extends OptionalSchema, Q extends OptionalSchema, B extends OptionalSchema> = {
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly unknown?: string
  readonly invalid?: InvalidWords
}
type Fields = Readonly<Record<string, string>>
/** The sentence, or what makes it of the fields that are wrong; undefined is the usual one. */
export type InvalidWords = string | ((wrong: Fields) => string | undefined)
type Sent = { readonly url: URL; readonly params: Readonly<Record<string, string>>; readonly sent: SentBody | null }
export type Checked<P extends OptionalSchema, Q extends OptionalSchema, B extends OptionalSchema> = {
  readonly params: Parsed<P>
  readonly query: Parsed<Q>
  readonly body: Parsed<B>
}

/** Every part of the input by its schema. A parameter of the path that cannot be is one that does not exist. */
export function checkInput<P extends OptionalSchema, Q extends OptionalSchema, B extends OptionalSchema>(
  call: Schemas<P, Q, B>,
  { url, params, sent }: Sent,
): Answer<Checked<P, Q, B>> {
  const refuse = (fields: Fields) =>
    invalid(fields, typeof call.invalid === 'function' ? call.invalid(fields) : call.invalid)
  const path = check(call.params, params)
  if (!path.ok) return notFound(call.unknown)
  const asked = queryOf(url)
  const query = check(call.query, asked)
  if (!query.ok) return refuse({ ...query.fields, ...givenTwice(asked, query.fields) })
  const body = check(sent ? call.body : undefined, sent?.json)
  if (!body.ok) return refuse(body.fields)
  return done({ params: path.value, query: query.value, body: body.value })
}

type Verdict<T> = { ok: true; value: T } | { ok: false; fields: Fields }

/** Without a schema nothing of it is taken. */
function check<S extends OptionalSchema>(schema: S | undefined, value: unknown): Verdict<Parsed<S>> {
  if (!schema) return { ok: true, value: {} as Parsed<S> }
  const parsed = schema.safeParse(value, { error: sentenceFor })
  return parsed.success
    ? { ok: true, value: parsed.data as Parsed<S> }
    : { ok: false, fields: fieldErrors(parsed.error) }
}

/** What is wrong, by the outermost name of the field; the first complaint of each. */
function fieldErrors({ issues }: z.ZodError): Fields {
  const found: Record<string, string> = {}
  for (const { path, message } of issues) found[String(path[0] ?? 'form')] ??= message
  return found
}

function givenTwice(asked: Readonly<Record<string, unknown>>, wrong: Fields): Fields {
  const twice = Object.keys(wrong).filter((key) => Array.isArray(asked[key]))
  return Object.fromEntries(twice.map((key) => [key, 'Give this once.']))
}

/** A key that is given twice becomes a list, which no schema takes. */
function queryOf({ searchParams }: URL): Record<string, unknown> {
  const values = new Map<string, string | string[]>()
  for (const [key, value] of searchParams) {
    const before = values.get(key)
    if (before === undefined) values.set(key, value)
    else if (Array.isArray(before)) before.push(value)
    else values.set(key, [before, value])
  }
  return Object.fromEntries(values)
}

import type { z } from 'zod'
import { type Answer, done } from '../../usecases/answer.ts'
import { fieldErrors } from '../../usecases/field-errors.ts'
import type { Call } from './call.server.ts'
import { invalid, notFound, unsupported } from './refusal.server.ts'

/** A body as it was sent; `json` is undefined when there is none. */
export type SentBody = { readonly text: string; readonly json: unknown }

const JSON_TYPE = /^application\/json\s*(;|$)/i
const FORM_TYPE = /^multipart\/form-data\s*(;|$)/i

/** Whether the handler reads the body by itself, as a form. */
export function sendsForm(call: Call, request: Request): boolean {
  return call.form !== undefined && FORM_TYPE.test(request.headers.get('Content-Type') ?? '')
}

/** The JSON of a request. A call that needs a body takes no other type. */
export async function readBody(call: Call, request: Request): Promise<Answer<SentBody>> {
  const type = request.headers.get('Content-Type')
  const mayMiss = call.form === undefined && (!call.body || call.body.safeParse(undefined).success)
  if (call.form === 'multipart' || !(type === null ? mayMiss : JSON_TYPE.test(type))) return unsupported()
  try {
    const text = await request.text()
    return done({ text, json: text.trim() === '' ? undefined : (JSON.parse(text) as unknown) })
  } catch {
    return invalid()
  }
}

type Params = Readonly<Record<string, string | undefined>>
export type Checked = { params: unknown; query: unknown; body: unknown }

/** Every part of the input by its schema. A parameter of the path that cannot be is one that does not exist. */
export function checkInput(call: Call, url: URL, params: Params, body: SentBody | null): Answer<Checked> {
  const path = check(call.params, params)
  if (!path.ok) return notFound(call.unknown)
  const query = check(call.query, queryOf(url))
  if (!query.ok) return invalid(query.fields, call.invalid)
  if (!body) return done({ params: path.value, query: query.value, body: {} })
  const sent = check(call.body, body.json)
  if (!sent.ok) return invalid(sent.fields, call.invalid)
  return done({ params: path.value, query: query.value, body: sent.value })
}

type Verdict = { ok: true; value: unknown } | { ok: false; fields: Readonly<Record<string, string>> }

function check(schema: z.ZodType | undefined, value: unknown): Verdict {
  if (!schema) return { ok: true, value: {} }
  const parsed = schema.safeParse(value)
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, fields: fieldErrors(parsed.error) }
}

/** A key that is given twice becomes a list, which no schema takes. */
function queryOf({ searchParams }: URL): Record<string, unknown> {
  const keys = [...new Set(searchParams.keys())]
  return Object.fromEntries(
    keys.map((key) => {
      const values = searchParams.getAll(key)
      return [key, values.length > 1 ? values : values[0]]
    }),
  )
}

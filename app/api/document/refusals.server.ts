import { FAILURE_WORDS } from '../../words/failure-words.server.ts'
import { AWAY, AWAY_WORDS } from '../../words/unavailable.ts'
import { PIPELINE_WORDS } from '../../words/words.ts'
import { type Refusal, refusal, refusalsOf } from '../answer.ts'
import type { Call, Limits } from '../call.server.ts'
import { TURNED_AWAY } from '../caller.server.ts'
import { invalid, notFound, shownCode, unsupported } from '../refusal.server.ts'
import { KEY_REFUSALS, takesKey } from '../repeat.server.ts'
import { type HeaderName, type Schema, schemaRef, withHeaders } from './headers.ts'

/** What of a call its refusals follow from. */
export type Refusing = Pick<
  Call,
  'method' | 'caller' | 'form' | 'once' | 'params' | 'unknown' | 'invalid' | 'beside' | 'refusals'
>

const failure = (status: keyof typeof FAILURE_WORDS) => refusal(status, FAILURE_WORDS[status])
const AT_THE_PORT = [failure(400), failure(403), failure(500), refusal(503, AWAY_WORDS, AWAY)]
const OF_A_BODY = [failure(408), failure(413)]

/** What the port answers before any call, without what a call's refusals hold beside the error. */
const portRefusals = (method: Call['method']): readonly Refusal[] =>
  method === 'GET' ? AT_THE_PORT : [...AT_THE_PORT, ...OF_A_BODY]

/** What the router answers for every call of the kind. */
function routerRefusals(call: Refusing): readonly Refusal[] {
  return [
    invalid(undefined),
    ...(typeof call.invalid === 'string' ? [invalid(undefined, call.invalid)] : []),
    ...TURNED_AWAY[call.caller],
    ...(call.params ? [notFound(call.unknown)] : []),
    ...(takesKey(call) ? KEY_REFUSALS : []),
    ...(call.method === 'GET' ? [] : [unsupported()]),
    ...refusalsOf(PIPELINE_WORDS, 'slow-down'),
  ]
}

const declaredBy = ({ refusals = [] }: Refusing, limits: Limits) =>
  typeof refusals === 'function' ? refusals(limits) : refusals

/** Every status that a call may refuse with: no limit changes any. */
export const refusedStatuses = (call: Refusing): number[] =>
  statusesIn([...portRefusals(call.method), ...routerRefusals(call), ...declaredBy(call, { passwordMin: 0 })])

const statusesIn = (refusals: readonly Refusal[]) =>
  [...new Set(refusals.map(({ status }) => status))].sort((a, b) => a - b)

/** The answers to what is refused, by status. */
export function refusedResponses(call: Refusing, limits: Limits) {
  const own = [...routerRefusals(call), ...declaredBy(call, limits)]
  return byStatus({ port: portRefusals(call.method), own, beside: call.beside })
}

/** What is answered to a method that a path has not, and on a path that no call has. */
export function refusedElsewhere() {
  const [port, limit] = [portRefusals('POST'), refusalsOf(PIPELINE_WORDS, 'slow-down')]
  return {
    otherMethods: byStatus({ port, own: [...limit, failure(405)] }),
    otherPaths: byStatus({ port, own: [...limit, notFound()] }),
  }
}

function byStatus({ port, own, beside }: Sources) {
  return Object.fromEntries(
    statusesIn([...port, ...own]).map((status) => {
      const of = (from: readonly Refusal[]) => from.filter((one) => one.status === status)
      return [status, refusedResponse(status, { port: of(port), own: of(own), beside })]
    }),
  )
}

type Sources = { port: readonly Refusal[]; own: readonly Refusal[]; beside?: Call['beside'] | undefined }

/** One answer for all refusals of a status. */
function refusedResponse(status: number, { port, own, beside = {} }: Sources) {
  const all = [...port, ...own]
  const sentences = [...new Set(all.map(({ error }) => error))]
  const mayWait = status === 429 || all.some(({ retryInMs }) => retryInMs !== undefined)
  const alwaysWaits = status === 429 || all.every(({ retryInMs }) => retryInMs !== undefined)
  return {
    description: sentences.join(' / '),
    headers: withHeaders(...headersOf(status, mayWait, alwaysWaits)),
    content: { 'application/json': { schema: bodyOf(status, { all, sentences, mayWait, alwaysWaits, beside, port }) } },
  }
}

function headersOf(status: number, mayWait: boolean, alwaysWaits: boolean): HeaderName[] {
  if (status === 405) return ['Allow']
  if (!mayWait) return []
  return [alwaysWaits ? 'RetryAfter' : 'MayRetryAfter']
}

type Body = {
  all: readonly Refusal[]
  port: readonly Refusal[]
  sentences: string[]
  mayWait: boolean
  alwaysWaits: boolean
  beside: Readonly<Record<string, false>>
}

function bodyOf(status: number, { all, port, sentences, mayWait, alwaysWaits, beside }: Body): Schema {
  const codes = [...new Set(all.map(shownCode).filter((code) => code !== undefined))]
  const missing = [...new Set(all.flatMap((one) => one.missing ?? []))]
  const hasFields = status === 400 || all.some(({ fields }) => fields)
  const properties = {
    error: { type: 'string' as const, examples: sentences },
    ...(codes.length > 0 && { code: { type: 'string' as const, enum: codes } }),
    ...(mayWait && { retryInMs: schemaRef('RetryInMs') }),
    ...(hasFields && { fields: schemaRef('Fields') }),
    ...(missing.length > 0 && {
      missing: { type: 'array' as const, items: { type: 'string' as const, enum: missing } },
    }),
    ...(status === 500 && { requestId: { type: 'string' as const } }),
    ...Object.fromEntries(Object.entries(beside).map(([name, value]) => [name, { const: value }])),
  }
  // What the port answers holds nothing of the call.
  const always = port.length > 0 ? [] : Object.keys(beside)
  const required = [
    'error',
    ...(mayWait && alwaysWaits ? ['retryInMs'] : []),
    ...(status === 500 ? ['requestId'] : []),
    ...always,
  ]
  return { type: 'object', properties, required, additionalProperties: false }
}

import type { Refusal } from '../answer.ts'
import type { Call } from '../call.server.ts'
import { shownCode } from '../refusal.server.ts'
import { type HeaderName, type Schema, schemaRef, withHeaders } from './headers.ts'

/** Refusals of one status or more: of the port, which knows nothing of the call, and those with what it has beside. */
export type Refused = {
  readonly port: readonly Refusal[]
  readonly own: readonly Refusal[]
  readonly beside?: Call['beside'] | undefined
  /** Something may have been written all the same. */
  readonly writes: boolean
}
type Wait = 'always' | 'sometimes' | 'never'

/** The one answer for all refusals of a status. */
export function refusedAnswer(status: number, refused: Refused) {
  const all = [...refused.port, ...refused.own]
  const wait = waitOf(status, all)
  const sentences = [...new Set(all.map(({ error }) => error))]
  const headers = [...headersOf(status, wait), ...(refused.writes ? ['LogPosition' as const] : [])]
  return {
    description: sentences.join(' / '),
    headers: withHeaders(...headers),
    content: { 'application/json': { schema: bodyOf(status, wait, { ...refused, sentences }) } },
  }
}

/** A limit always states how long to wait. */
function waitOf(status: number, all: readonly Refusal[]): Wait {
  const waiting = all.filter(({ retryInMs }) => retryInMs !== undefined).length
  if (status === 429 || waiting === all.length) return 'always'
  return waiting > 0 ? 'sometimes' : 'never'
}

function headersOf(status: number, wait: Wait): HeaderName[] {
  if (status === 405) return ['Allow']
  if (wait === 'never') return []
  return [wait === 'always' ? 'RetryAfter' : 'MayRetryAfter']
}

type Body = Refused & { readonly sentences: readonly string[] }

function bodyOf(status: number, wait: Wait, { port, own, beside = {}, sentences }: Body): Schema {
  const all = [...port, ...own]
  const codes = [...new Set(all.map(shownCode).filter((code) => code !== undefined))]
  const missing = [...new Set(all.flatMap((one) => one.missing ?? []))]
  const hasFields = status === 400 || all.some(({ fields }) => fields)
  const properties: Record<string, Schema | { $ref: string }> = {
    error: { type: 'string', examples: [...sentences] },
    ...(codes.length > 0 && { code: { type: 'string', enum: codes } }),
    ...(wait !== 'never' && { retryInMs: schemaRef('RetryInMs') }),
    ...(hasFields && { fields: schemaRef('Fields') }),
    ...(all.some(({ challenge }) => challenge !== undefined) && { challenge: { type: 'string' } }),
    ...(missing.length > 0 && { missing: { type: 'array', items: { type: 'string', enum: missing } } }),
    ...(status === 500 && { requestId: { type: 'string' } }),
    ...Object.fromEntries(Object.entries(beside).map(([name, value]) => [name, { type: 'boolean', const: value }])),
  }
  const required = [
    'error',
    ...(wait === 'always' ? ['retryInMs'] : []),
    ...(status === 500 ? ['requestId'] : []),
    ...(port.length === 0 ? Object.keys(beside) : []),
  ]
  return { type: 'object', properties, required, additionalProperties: false }
}

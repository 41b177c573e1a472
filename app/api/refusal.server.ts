import { retryAfter } from '../words/unavailable.ts'
import type { Worded } from '../words/words.ts'
import { type Refusal, refusal } from './answer.ts'

/** Codes that the contract names; any other would distinguish what must look alike (ruling R5). */
const CODES = new Set([
  'already_matched',
  'already_buzzed',
  'onboarding',
  'deactivated',
  'suspended',
  'reauth',
  'second_factor',
])

/** The code of a refusal, if it is one that goes out. */
export const shownCode = ({ code }: Pick<Refusal, 'code'>) => (code && CODES.has(code) ? code : undefined)

export const invalid = (fields?: Worded['fields'], error = 'Invalid request.'): Worded =>
  refusal(400, error, fields ? { fields } : {})
export const notFound = (error = 'Not found'): Worded => refusal(404, error)
export const loginRequired = (): Worded => refusal(401, 'Login required')
export const unsupported = (): Worded => refusal(415, 'Unsupported file type')

type Extra = { beside?: Readonly<Record<string, unknown>> | undefined; headers?: Record<string, string> }

/** A refusal as every call words it (api-contract §6.0). */
export function refusalResponse(refused: Refusal, extra: Extra = {}): Response {
  const { status, error, retryInMs, fields, missing, challenge } = refused
  const code = shownCode(refused)
  const wait = retryInMs === undefined ? undefined : { 'Retry-After': retryAfter(retryInMs) }
  const body = {
    ...extra.beside,
    error,
    ...(code && { code }),
    ...(retryInMs !== undefined && { retryInMs }),
    ...(fields && { fields }),
    ...(missing && { missing }),
    ...(challenge && { challenge }),
  }
  return Response.json(body, { status, headers: { ...wait, ...extra.headers, 'Cache-Control': 'no-store' } })
}

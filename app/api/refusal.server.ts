import type { Worded } from '../words/words.ts'
import { refusal } from './answer.ts'

/** Codes that the contract names; any other would distinguish what must look alike (ruling R5). */
const CODES = new Set(['already_matched', 'already_buzzed', 'onboarding', 'deactivated', 'suspended', 'reauth'])

export const invalid = (fields?: Worded['fields'], error = 'Invalid request.'): Worded =>
  refusal(400, error, fields ? { fields } : {})
export const notFound = (error = 'Not found'): Worded => refusal(404, error)
export const loginRequired = (): Worded => refusal(401, 'Login required')
export const unsupported = (): Worded => refusal(415, 'Unsupported file type')

type Extra = { beside?: Readonly<Record<string, unknown>> | undefined; headers?: Record<string, string> }

/** A refusal as every call words it (api-contract §6.0). `missing` is that of restricted modes. */
export function refusalResponse(refused: Worded & { missing?: readonly string[] }, extra: Extra = {}): Response {
  const { status, error, code, retryInMs, fields, missing } = refused
  const wait = retryInMs === undefined ? undefined : { 'Retry-After': String(Math.max(1, Math.ceil(retryInMs / 1000))) }
  const body = {
    ...extra.beside,
    error,
    ...(code && CODES.has(code) && { code }),
    ...(retryInMs !== undefined && { retryInMs }),
    ...(fields && { fields }),
    ...(missing && { missing }),
  }
  return Response.json(body, { status, headers: { ...wait, ...extra.headers, 'Cache-Control': 'no-store' } })
}

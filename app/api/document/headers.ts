import type { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { Position } from '../../../domain/shared/recorded.ts'
import { BEHIND_HEADER, POSITION_HEADER } from '../repeat.server.ts'

export type Schema = oas31.SchemaObject

const text = { type: 'string' } as const
const position = { ...text, pattern: patternOf(Position) }
const seconds = { ...text, pattern: '^[1-9]\\d*$' }
const AFTER = 'Seconds; in JSON the same as `retryInMs`, rounded up.'

type Header = { name: string; required: boolean; description: string; schema: Schema }
export type HeaderName =
  | 'NoStore'
  | 'RequestId'
  | 'RetryAfter'
  | 'MayRetryAfter'
  | 'Kept'
  | 'Private'
  | 'Attachment'
  | 'ETag'
  | 'AcceptRanges'
  | 'ContentRange'
  | 'Location'
  | 'Allow'
  | 'LogPosition'
  | 'LogBehind'

/** The headers that answers carry, each described once. */
export const HEADERS: Readonly<Record<HeaderName, Header>> = {
  NoStore: {
    name: 'Cache-Control',
    required: true,
    description: 'Nothing of it is stored.',
    schema: { const: 'no-store' },
  },
  RequestId: {
    name: 'X-Request-Id',
    required: true,
    description: 'Names the request in the log of the server.',
    schema: text,
  },
  RetryAfter: { name: 'Retry-After', required: true, description: AFTER, schema: seconds },
  MayRetryAfter: {
    name: 'Retry-After',
    required: false,
    description: `${AFTER} With \`retryInMs\` alone.`,
    schema: seconds,
  },
  Kept: {
    name: 'Cache-Control',
    required: true,
    description: 'Pictures of profiles may be kept, and are asked about each time; nothing else is.',
    schema: { enum: ['private, no-cache', 'private, no-store'] },
  },
  Private: {
    name: 'Cache-Control',
    required: true,
    description: 'Nothing of it is stored.',
    schema: { const: 'private, no-store' },
  },
  Attachment: {
    name: 'Content-Disposition',
    required: true,
    description: 'The name of the file.',
    schema: text,
  },
  ETag: { name: 'ETag', required: false, description: 'Of a picture that may be kept.', schema: text },
  AcceptRanges: {
    name: 'Accept-Ranges',
    required: true,
    description: 'Parts of it can be asked for.',
    schema: { const: 'bytes' },
  },
  ContentRange: {
    name: 'Content-Range',
    required: true,
    description: 'Which part this is, and of how much.',
    schema: text,
  },
  Location: { name: 'Location', required: true, description: 'Where to go instead.', schema: text },
  Allow: { name: 'Allow', required: true, description: 'The methods of the path.', schema: text },
  LogPosition: {
    name: POSITION_HEADER,
    required: false,
    description: 'Where the log stands after what was written. A read that sends it back waits until it shows this.',
    schema: position,
  },
  LogBehind: {
    name: BEHIND_HEADER,
    required: false,
    description: 'The answer may be older than what was written, or than the position that was sent.',
    schema: { const: 'true' },
  },
}

/** What every answer of a call carries, and more. */
export function withHeaders(...more: readonly HeaderName[]): oas31.HeadersObject {
  return named('NoStore', 'RequestId', 'LogBehind', ...more)
}

/** Headers by their own names. */
export function named(...headers: readonly HeaderName[]): oas31.HeadersObject {
  return Object.fromEntries(headers.map((one) => [HEADERS[one].name, { $ref: `#/components/headers/${one}` }]))
}

/** The same as components, which have no names of headers. */
export const headerComponents = () =>
  Object.fromEntries(Object.entries(HEADERS).map(([key, { name: _name, ...header }]) => [key, header]))

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The pattern of an id, or of what else is one. */
export function patternOf(schema: z.ZodType): string {
  const { pattern } = schema.toJSONSchema()
  if (typeof pattern !== 'string') throw new Error('No pattern is known of it.')
  return pattern
}

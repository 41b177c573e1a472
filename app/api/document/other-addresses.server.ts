import type { z } from 'zod'
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { MediaId } from '../../../domain/shared/ids.ts'
import { PICTURE_SIDES } from '../../../domain/shared/media.ts'
import { AVIF } from '../../../services/media/forms.ts'
import { MEDIA_TYPES } from '../../../services/media/kinds.ts'
import { MEDIA_REFUSALS } from '../../request/media-answer.server.ts'
import { failureWords } from '../../words/failure-words.server.ts'
import { Alive, Readiness } from '../readiness.ts'
import { type HeaderName, named, patternOf } from './headers.ts'

type Responses = Record<`${2 | 3 | 4 | 5}${string}`, ZodOpenApiResponseObject>

const json = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description,
  headers: named('NoStore', 'RequestId'),
  content: { 'application/json': { schema } },
})
/** What the port answers instead of a page. */
const page = (status: number, ...headers: readonly HeaderName[]): ZodOpenApiResponseObject => ({
  description: failureWords(status),
  headers: named('NoStore', 'RequestId', ...headers),
  content: { 'text/html': { schema: { type: 'string' } } },
})
/** Also while the product starts, until it knows the address. */
const unavailable = { 503: page(503, 'RetryAfter') } satisfies Responses
const pages = (...statuses: readonly number[]): Responses =>
  Object.fromEntries(statuses.map((status) => [status, page(status)]))

/** Asked from inside the machine, under any Host. */
const probe = (summary: string, operationId: string, responses: Responses): ZodOpenApiOperationObject => ({
  operationId,
  summary,
  security: [],
  responses: { ...pages(400, 500), ...unavailable, ...responses },
})

const plain = (status: keyof typeof MEDIA_REFUSALS, ...headers: readonly HeaderName[]): ZodOpenApiResponseObject => ({
  description: MEDIA_REFUSALS[status],
  headers: named('NoStore', 'RequestId', ...headers),
  content: { 'text/plain': { schema: { type: 'string', enum: [MEDIA_REFUSALS[status]] } } },
})
/** What a file is kept as: pictures are drawn anew, clips are copied, and sound alone has the name of sound. */
const bytes = Object.fromEntries([...MEDIA_TYPES, 'audio/webm', AVIF].map((type) => [type, {}]))
const fileAnswer = (description: string, ...headers: readonly HeaderName[]): ZodOpenApiResponseObject => ({
  description,
  headers: named('Kept', 'RequestId', 'ETag', 'AcceptRanges', ...headers),
  content: bytes,
})
const header = (name: string, description: string): oas31.ParameterObject => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

const media: ZodOpenApiOperationObject = {
  operationId: 'getMedia',
  summary: 'A file, if the policy lets its asker have it; the same answer for one that is not there',
  description: 'Contract N8. The blurred picture of another is a file with an id of its own.',
  security: [{ bearer: [] }, { session: [] }, { signature: [] }, {}],
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: patternOf(MediaId) } },
    {
      name: 'w',
      in: 'query',
      description: `Of a picture, at least so many pixels of its shorter side, where it has them; kept are ${PICTURE_SIDES.join(', ')}.`,
      schema: { type: 'integer', minimum: 1, maximum: 9999 },
    },
    header('Accept', 'A picture may come as AVIF where this names it.'),
    header('Range', 'One range of bytes.'),
    header('If-Range', 'The ETag of which the range is meant.'),
    header('If-None-Match', 'ETags of what its asker has.'),
  ],
  responses: {
    200: fileAnswer('The file'),
    206: fileAnswer('The part that was asked for', 'ContentRange'),
    304: { description: 'What its asker has', headers: named('Kept', 'RequestId', 'ETag') },
    404: plain(404),
    416: plain(416, 'ContentRange'),
    429: plain(429, 'RetryAfter'),
    // Of a page of another site.
    ...pages(400, 403, 421, 500),
    ...unavailable,
  },
}

const otherMethods: Responses = {
  204: { description: 'The methods of the path, for OPTIONS', headers: named('NoStore', 'RequestId', 'Allow') },
  405: plain(405, 'Allow'),
  ...pages(400, 403, 413, 421, 500),
  ...unavailable,
}

const archive: ZodOpenApiOperationObject = {
  operationId: 'getExport',
  summary: 'The zip of an export, to its owner alone; the `url` of one that is ready leads here',
  description: 'Contract N9. By a session of the pages, what is not there leads to a page.',
  security: [{ bearer: [] }, { session: [] }],
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    200: {
      description: 'The zip',
      headers: named('Private', 'RequestId', 'LogBehind', 'Attachment'),
      content: { 'application/zip': {} },
    },
    302: { description: 'To a page', headers: named('NoStore', 'RequestId', 'LogBehind', 'Location') },
    404: { ...plain(404), headers: named('NoStore', 'RequestId', 'LogBehind') },
    ...pages(400, 421, 500),
    429: page(429, 'RetryAfter'),
    ...unavailable,
  },
}

/** The addresses that are no call of the table. */
export const OTHER_ADDRESSES: ZodOpenApiPathsObject = {
  '/media/{id}': { get: media, 'x-other-methods': otherMethods },
  '/account/export/{id}': { get: archive },
  '/healthz': { get: probe('Whether the process answers', 'getHealth', { 200: json('It does', Alive) }) },
  '/readyz': {
    get: probe('Whether every role does its work', 'getReadiness', {
      200: json('All do', Readiness),
      503: {
        description: 'Some do not; a page while the product starts',
        headers: named('NoStore', 'RequestId', 'MayRetryAfter'),
        content: { 'application/json': { schema: Readiness }, 'text/html': { schema: { type: 'string' } } },
      },
    }),
  },
  '/openapi.json': {
    get: probe('This description; in local mode alone', 'getDescription', {
      200: {
        description: 'OpenAPI',
        headers: named('NoStore', 'RequestId'),
        content: { 'application/json': { schema: { type: 'object', properties: { openapi: { const: '3.1.0' } } } } },
      },
      302: { description: 'In production: nothing is here', headers: named('NoStore', 'RequestId', 'Location') },
      ...pages(421),
      429: page(429, 'RetryAfter'),
    }),
  },
}

import type { z } from 'zod'
import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi'
import { hours } from '../../../domain/shared/dates.ts'
import { MEDIA_PURPOSES } from '../../../domain/shared/media.ts'
import { Position } from '../../../domain/shared/recorded.ts'
import { IDEMPOTENCY_MS } from '../../../services/idempotency.ts'
import {
  BEFORE_PURPOSE_BYTES,
  MAX_BYTES,
  MAX_SECONDS,
  MEDIA_TYPES,
  MICROBUZZ_MAX_BYTES,
  SIGNUP_PURPOSES,
} from '../../../services/media/kinds.ts'
import type { Call } from '../call.server.ts'
import { JSON_BYTES, mayMissBody } from '../input.server.ts'
import { KEY, KEY_HEADER, POSITION_HEADER, takesKey } from '../repeat.server.ts'
import { patternOf } from './headers.ts'

const MIB = 1024 * 1024
const SIZES = `An image of at most ${MAX_BYTES.image / MIB} MiB (for \`microbuzz\` ${MICROBUZZ_MAX_BYTES / MIB} MiB), a video of at most ${MAX_BYTES.video / MIB} MiB or a sound of at most ${MAX_BYTES.audio / MIB} MiB, the latter two of at most ${MAX_SECONDS} seconds.`
const file = (description: string) => ({ type: 'string' as const, format: 'binary', description })
const types = { contentType: MEDIA_TYPES.join(', ') }

/** One upload, as `services/media` reads it (api-contract C71). */
const UPLOAD: oas31.MediaTypeObject = {
  schema: {
    type: 'object',
    properties: {
      purpose: {
        type: 'string',
        enum: [...MEDIA_PURPOSES],
        default: 'photo',
        description: `Before the file, which is then refused before it is read; a file of more than ${BEFORE_PURPOSE_BYTES / MIB} MiB is refused where it comes first, unless it is for a photo and sent to \`/upload-media\`. A visitor who signs up has ${SIGNUP_PURPOSES.join(', ')}.`,
      },
      file: file(SIZES),
      still: file('A picture of a video, made by its sender.'),
    },
    required: ['file'],
  },
  encoding: { file: types, still: types },
}

/** The parameters and the body of a call. */
export function requestOf(call: Call): Pick<ZodOpenApiOperationObject, 'requestBody' | 'requestParams' | 'parameters'> {
  const { body, described = body, form, params, query } = call
  const json = described && form !== 'multipart' && { 'application/json': { schema: described } }
  const content = { ...json, ...(form && { 'multipart/form-data': UPLOAD }) }
  const parameters = [...(takesKey(call) ? ['Key'] : []), 'Seen'].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }))
  const description = [json && `JSON of at most ${JSON_BYTES} bytes.`, form && 'A form with one file.']
    .filter(Boolean)
    .join(' Or: ')
  return {
    requestParams: { ...(params && { path: objectOf(params) }), ...(query && { query: objectOf(query) }) },
    parameters,
    ...(Object.keys(content).length > 0 && { requestBody: { description, required: !mayMissBody(call), content } }),
  }
}

const objectOf = (schema: z.ZodType) => schema as z.ZodObject

export const PARAMETERS: Record<string, oas31.ParameterObject> = {
  Key: {
    name: KEY_HEADER,
    in: 'header',
    description: `The same key with the same request within ${IDEMPOTENCY_MS / hours(1)} hours gets the first answer again; with another request it is refused. A form with a file takes none, and of a visitor it is not looked at.`,
    schema: { type: 'string', pattern: KEY.source },
  },
  Seen: {
    name: POSITION_HEADER,
    in: 'header',
    description:
      'Of an earlier answer, or `pos` of a frame of a socket (an `ack` says that it is stored, not that it shows): this one shows what was written until then, or says that it does not.',
    schema: { type: 'string', pattern: patternOf(Position) },
  },
}

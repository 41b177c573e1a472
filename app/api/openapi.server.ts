import type { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { allCalls } from './all-calls.server.ts'
import type { Call } from './call.server.ts'
import type { Caller } from './caller.server.ts'
import { ErrorBody } from './shapes.ts'

/** Refusals that every call of a caller's kind may meet (api-contract §6.0). */
const COMMON: Record<Caller, readonly number[]> = {
  anyone: [413, 415, 429],
  account: [401, 403, 429],
  newcomer: [401, 403, 429],
  uploader: [401, 403, 413, 415, 429],
  member: [401, 403, 429],
}

/** Every status that a call may answer with but 405, 500 and 503. */
export function statusesOf(call: Call): number[] {
  // 403: a page of another origin may not write.
  const body = call.method === 'GET' ? [] : [403, 409, 413, 415]
  const path = call.params ? [404] : []
  const refusals = [...COMMON[call.caller], ...(call.refusals ?? []), ...body, ...path]
  // 400: an address that cannot be, as one with a zero byte, is refused before any call.
  return [...new Set([200, 400, ...refusals])].sort((a, b) => a - b)
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } })
const UPLOAD = {
  'multipart/form-data': {
    schema: {
      type: 'object' as const,
      properties: { file: { type: 'string' as const, format: 'binary' }, purpose: { type: 'string' as const } },
      required: ['file'],
    },
  },
}

function operation(call: Call): ZodOpenApiOperationObject {
  const { answer, body, form, params, query } = call
  const content = { ...(body && form !== 'multipart' && json(body)), ...(form && UPLOAD) }
  const refusals = statusesOf(call).filter((status) => status !== 200)
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replace(/[^A-Za-z]+(.)?/g, (_, next = '') => next.toUpperCase())}`,
    summary: call.summary,
    description: `Contract ${call.id}.`,
    security: call.caller === 'anyone' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(params && { path: params as z.ZodObject }),
      ...(query && { query: query as z.ZodObject }),
    },
    ...(Object.keys(content).length > 0 && { requestBody: { content } }),
    responses: {
      200: { description: 'Done', content: json(answer) },
      ...Object.fromEntries(
        [...new Set([...refusals, 500, 503])].map((status) => [
          status,
          { description: 'Refused', content: json(ErrorBody) },
        ]),
      ),
    },
  }
}

/** The description of `/api`, from the schemas that the calls are checked with. */
export function openApi() {
  const paths: ZodOpenApiPathsObject = {}
  for (const call of allCalls) {
    const path = `/api${call.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'LetsBuzz', version: '1' },
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  })
}

import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { RATES, type RateClass } from '../../services/limits/rates.ts'
import { SESSION_COOKIE } from '../request/session-cookie.server.ts'
import { allCalls } from './all-calls.server.ts'
import type { Call, Limits } from './call.server.ts'
import { headerComponents, named, withHeaders } from './document/headers.ts'
import { OTHER_ADDRESSES } from './document/other-addresses.server.ts'
import { refusedElsewhere, refusedResponses, refusedStatuses } from './document/refusals.server.ts'
import { PARAMETERS, requestOf } from './document/requests.server.ts'
import { override } from './document/schemas.server.ts'
import { shareAnswers } from './document/share-answers.ts'

const DONE = 200
const nameOf = ({ path, method }: Pick<Call, 'path' | 'method'>) => `${path} ${method}`

/** Every status that a call may answer with. */
export function statusesOf(call: Call): number[] {
  return [DONE, ...refusedStatuses(call)]
}

function answerOf({ answer, carries = {}, method }: Call): ZodOpenApiResponseObject {
  const own = Object.entries(carries).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' as const } },
  ])
  return {
    description: 'Done',
    headers: { ...withHeaders(...(method === 'GET' ? [] : ['LogPosition' as const])), ...Object.fromEntries(own) },
    content: { 'application/json': { schema: answer } },
  }
}

function operation(call: Call, limits: Limits): ZodOpenApiOperationObject {
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replace(/[^A-Za-z]+(.)?/g, (_, next = '') => next.toUpperCase())}`,
    summary: call.summary,
    description: `Contract ${call.id}.`,
    security: call.caller === 'anyone' ? [] : [{ bearer: [] }],
    'x-rate-limits': ratesOf(call).map((name) => ({ class: name, windows: RATES[name].windows })),
    ...requestOf(call),
    responses: { [DONE]: answerOf(call), ...refusedResponses(call, limits) },
  }
}

/** The classes that a call takes from, beside those of every address. */
export const ratesOf = ({ rate, takes = [] }: Pick<Call, 'rate' | 'takes'>): readonly RateClass[] =>
  rate ? [rate, ...takes] : takes

/** What is answered to a method that a path has not, and on a path that no call has. */
function elsewhere() {
  const { otherMethods, otherPaths } = refusedElsewhere()
  const options = {
    description: 'The methods of the path, for OPTIONS',
    headers: named('NoStore', 'RequestId', 'Allow'),
  }
  return { 'x-other-methods': { 204: options, ...otherMethods }, 'x-other-paths': otherPaths }
}

/** The order of the table is that of a build. */
const inOrder = [...allCalls].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))

const ABOUT = `Calls of LetsBuzz. A GET may be asked as HEAD, and is answered without the body. OPTIONS names the methods of a path. What a method that a path has not, and a path that no call has, are answered is in \`x-other-methods\` and \`x-other-paths\`. Texts are counted in code points, as JSON Schema does. Unknown keys of a body are passed over, and answers hold no key that is not described.`

/** The description of `/api` and of what else a program asks, from what the calls are checked and answered with. */
export function openApi(limits: Limits) {
  const paths: ZodOpenApiPathsObject = {}
  for (const call of inOrder) {
    const path = `/api${call.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call, limits) }
  }
  const whole: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'LetsBuzz', version: '1', description: ABOUT },
    paths: { ...paths, ...OTHER_ADDRESSES },
    components: {
      schemas: {
        RetryInMs: { type: 'integer', minimum: 1, description: 'After so many milliseconds it may go through.' },
        Fields: { type: 'object', additionalProperties: { type: 'string' }, description: 'A sentence by each field.' },
      },
      headers: headerComponents(),
      parameters: PARAMETERS,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        signature: { type: 'apiKey', in: 'query', name: 'sig' },
      },
    },
    ...elsewhere(),
  }
  return shareAnswers(createDocument(whole, { override }))
}

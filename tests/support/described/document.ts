import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { oas31 } from 'zod-openapi'
import { createMatcher } from '../../../app/api/match.server.ts'
import { openApi } from '../../../app/api/openapi.server.ts'
import { loadConfig } from '../../../server/config.ts'

export type Answer = Omit<oas31.ResponseObject, 'headers' | 'content'> & {
  readonly headers?: Readonly<Record<string, oas31.HeaderObject>>
  readonly content?: Readonly<Record<string, { readonly schema?: oas31.SchemaObject }>>
}
/** Where in the document something stands, as a JSON pointer. */
type Pointer = string
type Found = { readonly pointer: Pointer; readonly answer: Answer | undefined }
type Path = { readonly path: string; readonly template: string }

const DOCUMENT = 'openapi.json'
/** The description of the product that runs in these tests; one test holds that it is served as it is here. */
export const document = openApi(loadConfig({}))
const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, validateSchema: false })
formats.default(ajv)
// What OpenAPI has beside JSON Schema.
for (const keyword of ['openapi', 'info', 'paths', 'components', 'x-other-methods', 'x-other-paths'])
  ajv.addKeyword(keyword)
ajv.addSchema(document, DOCUMENT)

const paths: readonly Path[] = Object.keys(document.paths ?? {}).map((template) => ({
  template,
  path: template.replace(/\{(\w+)\}/g, ':$1'),
}))
const match = createMatcher(paths)
/** Calls in any case, as they are found; the other addresses as they are written, but for the data of pages. */
export function templateOf(pathname: string): string | null {
  const [found] = match(pathname)?.calls ?? []
  if (!found) return null
  const isCall = found.template.startsWith('/api/')
  return isCall || isOther(pathname, found.template) ? found.template : null
}

const isOther = (pathname: string, template: string) =>
  !pathname.endsWith('.data') && pathname.startsWith(template.replace(/\{.*/, ''))

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
const pointerTo = (...parts: readonly string[]) => parts.map((part) => `/${escaped(part)}`).join('')

/** The value at a pointer, references followed. */
function at(pointer: Pointer): { pointer: Pointer; value: unknown } {
  const parts = pointer.split('/').slice(1)
  const value = parts.reduce<unknown>(
    (inside, part) =>
      (inside as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  const reference = (value as { $ref?: string } | undefined)?.$ref
  return reference ? at(reference.replace(/^#/, '')) : { pointer, value }
}

/** The methods that a path has, by the document. */
export const methodsOf = (template: string): string[] =>
  Object.keys(document.paths?.[template] ?? {})
    .filter((key) => /^(get|post|put|patch|delete)$/.test(key))
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))

/** What the document promises for an answer; no `answer` where it promises nothing of the kind, null where it is silent. */
export function promised(method: string, pathname: string, status: number): Found | null {
  const template = templateOf(pathname)
  if (template === null)
    return pathname.startsWith('/api/') ? answerAt(pointerTo('x-other-paths', String(status))) : null
  if (methodsOf(template).includes(method)) {
    const name = method === 'HEAD' ? 'get' : method.toLowerCase()
    return answerAt(pointerTo('paths', template, name, 'responses', String(status)))
  }
  const own = document.paths?.[template]?.['x-other-methods']
  if (own) return answerAt(pointerTo('paths', template, 'x-other-methods', String(status)))
  return template.startsWith('/api/') ? answerAt(pointerTo('x-other-methods', String(status))) : null
}

function answerAt(asked: Pointer): Found {
  const { pointer, value } = at(asked)
  const answer = value as Answer | undefined
  const headers = Object.keys(answer?.headers ?? {}).map((name) => [
    name,
    at(`${pointer}${pointerTo('headers', name)}`).value,
  ])
  return { pointer, answer: answer && { ...answer, headers: Object.fromEntries(headers) } }
}

const validators = new Map<Pointer, ValidateFunction>()

/** What is wrong with a value by the schema at a pointer; made ready once in a process. */
export function wrongBy(pointer: Pointer, value: unknown): readonly ErrorObject[] {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer)}` })
  validators.set(pointer, validate)
  return validate(value) ? [] : (validate.errors ?? [])
}

export const contentPointer = (pointer: Pointer, type: string) => `${pointer}${pointerTo('content', type, 'schema')}`
export const headerPointer = (pointer: Pointer, name: string) =>
  `${at(`${pointer}${pointerTo('headers', name)}`).pointer}/schema`

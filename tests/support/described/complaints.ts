import type { ErrorObject } from 'ajv/dist/2020.js'
import { retryAfter } from '../../../app/words/unavailable.ts'
import { type Answer, contentPointer, headerPointer, methodsOf, promised, templateOf, wrongBy } from './document.ts'

/** An answer of the product, as a test got it; `text` is null for one whose body is not looked at. */
export type Given = {
  readonly method: string
  readonly pathname: string
  readonly status: number
  readonly headers: Headers
  readonly text: string | null
}

/** Headers that mean something to whoever calls: none may come without being described. */
const MEANT = [
  'Accept-Ranges',
  'Allow',
  'Cache-Control',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Location',
  'Retry-After',
  'Set-Cookie',
  'X-Log-Behind',
  'X-Log-Position',
]

/** What in an answer is not as `/openapi.json` has it, each in a sentence. */
export function complaintsOf(given: Given): readonly string[] {
  const { method, pathname, status, headers } = given
  const found = promised(method, pathname, status)
  if (found === null) return []
  const { pointer, answer } = found
  const complain = (why: string) =>
    `${method} ${pathname} answers ${status}, and /openapi.json has it otherwise: ${why}`
  if (!answer) return [complain('no such status is described.')]
  const body = method === 'HEAD' ? [] : bodyComplaints(given, pointer, answer)
  return [...headerComplaints(headers, pointer, answer), ...allowComplaints(given), ...body].map(complain)
}

function headerComplaints(headers: Headers, pointer: string, { headers: described = {} }: Answer): string[] {
  const undescribed = MEANT.filter((name) => headers.has(name) && !(name in described))
  const wrong = Object.entries(described).flatMap(([name, { required }]) => {
    const value = headers.get(name)
    if (value === null) return required ? [`the header ${name} is missing.`] : []
    return wrongBy(headerPointer(pointer, name), value).map(
      ({ message }) => `the header ${name}, '${value}', ${message}.`,
    )
  })
  return [...undescribed.map((name) => `the header ${name} is not described.`), ...wrong]
}

function allowComplaints({ pathname, status, headers }: Given): string[] {
  const template = templateOf(pathname)
  if (template === null || !template.startsWith('/api/') || (status !== 204 && status !== 405)) return []
  const allowed = (headers.get('Allow') ?? '').split(', ').sort().join(', ')
  const described = [...methodsOf(template), 'OPTIONS'].sort().join(', ')
  return allowed === described ? [] : [`Allow is ${allowed}, and the path has ${described}.`]
}

function bodyComplaints({ headers, text }: Given, pointer: string, { content = {} }: Answer): string[] {
  const type = headers.get('Content-Type')?.split(';')[0] ?? null
  const types = Object.keys(content)
  if (types.length === 0) return text ? ['it has no body.'] : []
  if (type === null || !types.includes(type)) return [`its type is ${types.join(' or ')}, not ${type}.`]
  if (text === null || !content[type]?.schema) return []
  const json = type === 'application/json' ? parsed(text) : { value: text }
  if (!json) return ['its body is no JSON.']
  const wrong = wrongBy(contentPointer(pointer, type), json.value)
  if (wrong.length > 0) return [wrong.slice(0, 3).map(sentenceOf).join(' ')]
  return refusalComplaints(json.value, headers, content[type].schema)
}

/** Of a refusal, what JSON Schema cannot express: its sentence is a described one, and the wait of the header its own. */
function refusalComplaints(value: unknown, headers: Headers, { properties = {} }: { properties?: object }): string[] {
  const { error, retryInMs } = (value ?? {}) as { error?: unknown; retryInMs?: unknown }
  const { examples } = ((properties as { error?: object }).error ?? {}) as { examples?: readonly string[] }
  const isKnown = !examples || examples.some((one) => withoutNumbers(one) === withoutNumbers(String(error)))
  const wait = retryInMs === undefined ? null : retryAfter(Number(retryInMs))
  return [
    ...(isKnown ? [] : [`'${error}' is none of its sentences.`]),
    ...(typeof error === 'string' && headers.get('Retry-After') !== wait ? ['Retry-After is not its retryInMs.'] : []),
  ]
}

/** Days that are left, and limits that a test sets otherwise. */
const withoutNumbers = (sentence: string) => sentence.replace(/\d+/g, 'N')

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const what = 'additionalProperty' in params ? ` ('${params.additionalProperty}')` : ''
  const choices = 'allowedValues' in params ? ` (${params.allowedValues})` : ''
  return `at '${instancePath || '/'}' it ${message}${what}${choices}.`
}

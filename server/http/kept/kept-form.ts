import { contentTypeOf, FORM_WITH_FILES } from '../content-type.ts'
import { KEPT_BYTES, KeptText } from './kept-text.ts'

/** What was typed into a plain form, to be sent again as it was; `isWhole`: without a secret or a file, which no page may hold. */
export type KeptForm = {
  readonly action: string
  readonly fields: readonly (readonly [string, string])[]
  readonly isWhole: boolean
}

const FORM = 'application/x-www-form-urlencoded'
const KEPT_FIELDS = 200
const SECRET = /password|confirm|code/i
/** Nobody typed these. */
const TECHNICAL = /^(intent|section|commandId|id|live|as|go|redirectTo)$/

/** The request to be answered, and its fields once it is; they are null for a form too large to be kept. */
export type FormRequest = { readonly request: Request; readonly fields: () => Promise<KeptForm | null> }

/**
 * Keeps a form's fields while whoever answers it reads them, and reads what they left; null for anything that no page's form
 * sent by itself.
 */
export function keepForm(request: Request): FormRequest | null {
  const { pathname, search } = new URL(request.url)
  if (request.method !== 'POST' || pathname.endsWith('.data') || !request.body) return null
  const type = contentTypeOf(request)
  const bringsFiles = type === FORM_WITH_FILES && isNavigation(request)
  if (type !== FORM && !bringsFiles) return null
  const isTooLarge = Number(request.headers.get('Content-Length') ?? 0) > KEPT_BYTES
  if (isTooLarge && !bringsFiles) return { request, fields: async () => null }
  const text = new KeptText(request.body)
  const init: RequestInit & { duplex: 'half' } = { body: text.stream, duplex: 'half' }
  const read = async () => {
    const kept = bringsFiles ? await partsIn(request, await text.start()) : fieldsIn(await text.whole())
    return kept && { action: pathname + search, ...kept }
  }
  return { request: new Request(request, init), fields: read }
}

/** A script that uploads keeps its form by itself. */
const isNavigation = ({ headers }: Request) => headers.get('Accept')?.includes('text/html') ?? false

type Fields = Pick<KeptForm, 'fields' | 'isWhole'>

/** Null for more than are given back. */
function fieldsIn(text: Buffer | null): Fields | null {
  return text && givenBack([...new URLSearchParams(text.toString())], true)
}

/** Of a form with files the texts in its start, as far as its parts are whole there; null where none can be read. */
async function partsIn({ headers }: Request, start: Buffer): Promise<Fields | null> {
  const type = headers.get('Content-Type') ?? ''
  const boundary = /boundary="?([^";\s]+)/i.exec(type)?.[1]
  const end = boundary ? start.lastIndexOf(`\r\n--${boundary}`) : -1
  if (end < 0) return null
  const whole = Buffer.concat([start.subarray(0, end), Buffer.from(`\r\n--${boundary}--\r\n`)])
  const read = new Response(whole, { headers: { 'Content-Type': type } }).formData()
  const parts = [...((await read.catch(() => null)) ?? [])]
  const texts = parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  const hasFile = parts.some(([, value]) => typeof value !== 'string' && value.size > 0)
  const isAll = start.subarray(end).toString().trimEnd() === `\r\n--${boundary}--`
  return givenBack(texts, isAll && !hasFile)
}

function givenBack(all: KeptForm['fields'], isAll: boolean): Fields | null {
  const fields = all.filter(([name, value]) => !SECRET.test(name) || value === '')
  return all.length > KEPT_FIELDS ? null : { fields, isWhole: isAll && fields.length === all.length }
}

/** Whether somebody typed something that is here. */
export const holdsText = ({ fields }: KeptForm): boolean => typedIn(fields).length > 0

const typedIn = (fields: KeptForm['fields']) =>
  fields.filter(([name, value]) => !TECHNICAL.test(name) && !SECRET.test(name) && value !== '')

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Each text that was typed, to be read and copied. */
function textsHtml(fields: KeptForm['fields']): string {
  const texts = typedIn(fields).map(
    ([, value]) => `<textarea readonly aria-label="What you typed">\n${escaped(value)}</textarea>`,
  )
  return texts.length > 0 ? `<p>What you typed:</p>${texts.join('')}` : ''
}

/** A form that sends the same again; its command keeps its id, so that it counts once. One with a secret is typed again. */
export function formHtml({ action, fields, isWhole }: KeptForm): string {
  if (!isWhole) return `${textsHtml(fields)}<p><a href="${escaped(action)}">Back to the form</a></p>`
  const inputs = fields.map(
    ([name, value]) => `<textarea hidden name="${escaped(name)}">\n${escaped(value)}</textarea>`,
  )
  return `<form method="post" action="${escaped(action)}">${inputs.join('')}<p>What you typed is kept here.
<button>Send again</button></p></form>`
}

/** For a form that is refused however often it is sent: what was typed, to be taken along. */
export const refusedFormHtml = ({ action, fields }: KeptForm): string =>
  `${textsHtml(fields)}<p><a href="${escaped(action)}">Back to the form</a></p>`

/** The same, with the way to sign in beside it: it is sent again from here. */
export const signInHtml = (form: KeptForm, login: string): string =>
  `<p><a href="${escaped(login)}" target="_blank">Sign in in another tab</a>, then send it from here.</p>${formHtml(form)}`

import { PAGE_FIELDS, plainFields } from '../../../services/media/form.ts'
import { contentTypeOf, FORM_WITH_FILES } from '../content-type.ts'
import { partsIn } from './kept-parts.ts'
import { KEPT_BYTES, KeptText } from './kept-text.ts'

/**
 * What was typed into a form that no script sent, to be sent again as it was; `files`: what its files are called, which are
 * not kept; `isWhole`: it came without a secret or a file, which no page may hold.
 */
export type KeptForm = {
  readonly action: string
  readonly fields: readonly (readonly [string, string])[]
  readonly files: readonly string[]
  readonly isWhole: boolean
}

const FORM = 'application/x-www-form-urlencoded'
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
    const kept = bringsFiles ? await fieldsOfParts(request, await text.start()) : fieldsIn(await text.whole())
    return kept && { action: pathname + search, ...kept }
  }
  return { request: new Request(request, init), fields: read }
}

/** A script that uploads keeps its form by itself. */
const isNavigation = ({ headers }: Request) => headers.get('Accept')?.includes('text/html') ?? false

type Fields = Omit<KeptForm, 'action'>

/** Null for more than are given back. */
function fieldsIn(text: Buffer | null): Fields | null {
  const fields = text && plainFields(text.toString())
  return fields && givenBack([...fields], [], true)
}

async function fieldsOfParts(request: Request, start: Buffer): Promise<Fields | null> {
  const { texts, files, isAll } = await partsIn(request, start)
  return givenBack(texts, files, isAll && files.length === 0)
}

function givenBack(all: KeptForm['fields'], files: readonly string[], isAll: boolean): Fields | null {
  const fields = all.filter(([name, value]) => !SECRET.test(name) || value === '')
  return all.length > PAGE_FIELDS ? null : { fields, files, isWhole: isAll && fields.length === all.length }
}

/** Whether somebody typed something that is here. */
export const holdsText = ({ fields }: KeptForm): boolean => typedIn(fields).length > 0

const typedIn = (fields: KeptForm['fields']) =>
  fields.filter(([name, value]) => !TECHNICAL.test(name) && !SECRET.test(name) && value !== '')

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Each text that was typed, to be read and copied. */
function textsHtml({ fields, files }: KeptForm): string {
  const texts = typedIn(fields).map(
    ([, value]) => `<textarea readonly aria-label="What you typed">\n${escaped(value)}</textarea>`,
  )
  const typed = texts.length > 0 ? `<p>What you typed:</p>${texts.join('')}` : ''
  return files.length > 0 ? `${typed}<p>Files are not kept. Choose them again: ${escaped(files.join(', '))}</p>` : typed
}

/** A form that sends the same again; its command keeps its id, so that it counts once. One with a secret is typed again. */
export function formHtml(form: KeptForm): string {
  const { action, fields, isWhole } = form
  if (!isWhole) return `${textsHtml(form)}<p><a href="${escaped(action)}">Back to the form</a></p>`
  const inputs = fields.map(
    ([name, value]) => `<textarea hidden name="${escaped(name)}">\n${escaped(value)}</textarea>`,
  )
  return `<form method="post" action="${escaped(action)}">${inputs.join('')}<p>What you typed is kept here.
<button>Send again</button></p></form>`
}

/** For a form that is refused however often it is sent: what was typed, to be taken along. */
export const refusedFormHtml = (form: KeptForm): string =>
  `${textsHtml(form)}<p><a href="${escaped(form.action)}">Back to the form</a></p>`

/** The same, with what is to be done before it, in words, where another tab leads to: it is sent again from here. */
export const elsewhereHtml = (form: KeptForm, to: string, words: string): string =>
  `<p><a href="${escaped(to)}" target="_blank">${words}</a>, then send it from here.</p>${formHtml(form)}`

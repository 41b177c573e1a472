import { contentTypeOf } from './content-type.ts'

/** What was typed into a plain form, to be sent again as it was; `isWhole`: without a secret, which no page may hold. */
export type KeptForm = {
  readonly action: string
  readonly fields: readonly (readonly [string, string])[]
  readonly isWhole: boolean
}

const FORM = 'application/x-www-form-urlencoded'
/** More than the longest text that any form takes, as a browser encodes it. Of a larger form nothing is kept. */
const KEPT_BYTES = 64 * 1024
const KEPT_FIELDS = 200
const SECRET = /password|confirm|code/i
/** Nobody typed these. */
const TECHNICAL = /^(intent|section|commandId|id|live|as|go|redirectTo)$/

/** The request to be answered, and its fields once it is; they are null for a form too large to be kept. */
export type FormRequest = { readonly request: Request; readonly fields: () => Promise<KeptForm | null> }

/** Keeps a plain form's fields while whoever answers it reads them, and reads what they left; null for anything else. */
export function keepForm(request: Request): FormRequest | null {
  const { pathname, search } = new URL(request.url)
  if (request.method !== 'POST' || pathname.endsWith('.data')) return null
  if (contentTypeOf(request) !== FORM || !request.body) return null
  if (Number(request.headers.get('Content-Length') ?? 0) > KEPT_BYTES) return { request, fields: async () => null }
  const text = new KeptText(request.body)
  const init: RequestInit & { duplex: 'half' } = { body: text.stream, duplex: 'half' }
  const read = async () => {
    const kept = fieldsIn(await text.whole())
    return kept && { action: pathname + search, ...kept }
  }
  return { request: new Request(request, init), fields: read }
}

/** A body that is kept as it is read, up to `KEPT_BYTES`; nothing of it is read before somebody asks. */
class KeptText {
  readonly stream: ReadableStream<Uint8Array>
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  private pieces: Uint8Array[] | null = []
  private size = 0

  constructor(private readonly body: ReadableStream<Uint8Array>) {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const value = await this.next()
      if (value) controller.enqueue(value)
      else controller.close()
    }
    const cancel = (reason: unknown) => {
      this.pieces = null
      return (this.reader ?? body).cancel(reason)
    }
    this.stream = new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
  }

  private async next(): Promise<Uint8Array | undefined> {
    this.reader ??= this.body.getReader()
    const { value } = await this.reader.read()
    if (!value) return undefined
    this.size += value.length
    if (this.size > KEPT_BYTES) this.pieces = null
    this.pieces?.push(value)
    return value
  }

  /** Null for more than is kept. */
  async whole(): Promise<string | null> {
    while (this.pieces && (await this.next()));
    // It settles with the body, which others may read on.
    if (!this.pieces) this.reader?.cancel().catch(() => undefined)
    return this.pieces && Buffer.concat(this.pieces).toString()
  }
}

/** Null for more than are given back. */
function fieldsIn(text: string | null): Pick<KeptForm, 'fields' | 'isWhole'> | null {
  if (text === null) return null
  const all = [...new URLSearchParams(text)]
  const fields = all.filter(([name, value]) => !SECRET.test(name) || value === '')
  return all.length > KEPT_FIELDS ? null : { fields, isWhole: fields.length === all.length }
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

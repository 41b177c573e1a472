import { contentTypeOf } from './content-type.ts'

/** What was typed into a plain form, to be sent again as it was. */
export type KeptForm = { readonly action: string; readonly fields: readonly (readonly [string, string])[] }

const FORM = 'application/x-www-form-urlencoded'
/** More than the longest text that any form takes, as a browser encodes it. Of a larger form nothing is kept. */
const KEPT_BYTES = 64 * 1024
const KEPT_FIELDS = 200
/** What no page may hold. */
const SECRET = /password|confirm|code/i

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
    const fields = fieldsIn(await text.whole())
    return fields ? { action: pathname + search, fields } : null
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

/** Null for none that may be given back. */
function fieldsIn(text: string | null): KeptForm['fields'] | null {
  if (text === null) return null
  const fields = [...new URLSearchParams(text)]
  const isSecret = fields.some(([name, value]) => SECRET.test(name) && value !== '')
  return isSecret || fields.length > KEPT_FIELDS ? null : fields
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A form that sends the same again; its command keeps its id, so that it counts once. */
export function formHtml({ action, fields }: KeptForm): string {
  const inputs = fields.map(
    ([name, value]) => `<textarea hidden name="${escaped(name)}">\n${escaped(value)}</textarea>`,
  )
  return `<form method="post" action="${escaped(action)}">${inputs.join('')}<p>What you typed is kept here.
<button>Send again</button></p></form>`
}

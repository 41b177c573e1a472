import { contentTypeOf } from './content-type.ts'

/** What was typed into a plain form, to be sent again as it was. */
export type KeptForm = { readonly action: string; readonly fields: readonly (readonly [string, string])[] }

const FORM = 'application/x-www-form-urlencoded'
/** More than the longest text that any form takes, as a browser encodes it. Of a larger form nothing is kept. */
const KEPT_BYTES = 64 * 1024
const KEPT_FIELDS = 200
/** What no page may hold. */
const SECRET = /password|confirm|code/i

/**
 * Reads a plain form's fields beside whoever answers it; null for anything else. Call the answer before the body is
 * read elsewhere, and only when it is needed. It is null for a form too large to be kept.
 */
export function keepForm(request: Request): (() => Promise<KeptForm | null>) | null {
  const { pathname, search } = new URL(request.url)
  if (request.method !== 'POST' || pathname.endsWith('.data')) return null
  if (contentTypeOf(request) !== FORM) return null
  if (Number(request.headers.get('Content-Length') ?? 0) > KEPT_BYTES) return async () => null
  const copy = request.clone()
  return async () => {
    const fields = fieldsIn(await shortText(copy))
    return fields ? { action: pathname + search, fields } : null
  }
}

/** Null for none that may be given back. */
function fieldsIn(text: string | null): KeptForm['fields'] | null {
  if (text === null) return null
  const fields = [...new URLSearchParams(text)]
  const isSecret = fields.some(([name, value]) => SECRET.test(name) && value !== '')
  return isSecret || fields.length > KEPT_FIELDS ? null : fields
}

/** The text of a body, null as soon as there is more of it than is kept. */
async function shortText({ body }: Request): Promise<string | null> {
  const reader = body?.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    pieces.push(read.value)
    size += read.value.length
    if (size <= KEPT_BYTES) continue
    // It settles with the request's own body, which others may read on.
    void reader?.cancel()
    return null
  }
  return Buffer.concat(pieces).toString()
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

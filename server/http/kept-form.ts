import { contentTypeOf } from './content-type.ts'

/** What was typed into a plain form, to be sent again as it was. */
export type KeptForm = { readonly action: string; readonly fields: readonly (readonly [string, string])[] }

const FORM = 'application/x-www-form-urlencoded'
/** What no page may hold. */
const SECRET = /password|confirm|code/i

/**
 * Reads a plain form's fields beside whoever answers it; null for anything else. Call the answer before the body is
 * read elsewhere, and only when it is needed.
 */
export function keepForm(request: Request): (() => Promise<KeptForm | null>) | null {
  const { pathname, search } = new URL(request.url)
  if (request.method !== 'POST' || pathname.endsWith('.data')) return null
  if (contentTypeOf(request) !== FORM) return null
  const copy = request.clone()
  return async () => {
    const fields = [...new URLSearchParams(await copy.text())]
    return fields.some(([name, value]) => SECRET.test(name) && value !== '')
      ? null
      : { action: pathname + search, fields }
  }
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

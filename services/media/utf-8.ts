/** Throws for bytes that are no text (api-contract §6.0), and keeps what others take for a mark of the order of bytes. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of these bytes, or null for what is no UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** Escapes, one after the other, of bytes that are no ASCII. */
const NOT_ASCII = /(?:%[89a-f][\da-f])+/gi

/** Whether the escapes of a plain form stand for UTF-8; a per cent sign that begins none is one. */
export function escapesText(form: string): boolean {
  try {
    decodeURIComponent(form.match(NOT_ASCII)?.join(' ') ?? '')
    return true
  } catch {
    return false
  }
}

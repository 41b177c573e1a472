/** No name of a host is longer, and no address of a page need be. */
const HOST_LENGTH = 253
const LENGTH = 8_192
/** The standard takes these out of an address before it looks at it. */
const UNSEEN = /\p{Cc}/u
/** Behind whatever it takes for the start of a host. */
const HOST = /^\s*(?:[a-z][a-z\d+.-]*:)?[/\\]*([^/\\?#]*)/i

/**
 * An address that somebody sent, or null where it is none. Every one from outside is read here: to bring a host that is not
 * written in ASCII into it takes the square of its length, seconds for one of some thousand signs.
 */
export function readUrl(text: string, base?: string): URL | null {
  if (text.length > LENGTH || UNSEEN.test(text)) return null
  if ((HOST.exec(text)?.[1] ?? '').length > HOST_LENGTH) return null
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

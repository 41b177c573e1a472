import { type Cookie, createCookie } from '@remix-run/node'

/**
 * What a browser has of its member: a sign-out ends it (decision 0046). Each tab at Google has a cookie more, which begins with
 * the name of the flow (`google.server.ts`).
 */
export const ENDED_COOKIES = [
  '__Host-buzz',
  '__Host-signup',
  '__Host-challenge',
  '__Host-leaving',
  '__Host-from',
  '__Host-typed0',
  '__Host-typed1',
  '__Host-code',
  '__Host-filters',
  '__Host-back',
  '__Host-splash',
  '__Host-theme',
] as const
/** What outlives a session: that the browser is known, and for seconds the position that its next page must show. */
export const KEPT_COOKIES = ['__Host-device', '__Host-pos', '__Host-live'] as const
type OwnCookie = (typeof ENDED_COOKIES | typeof KEPT_COOKIES)[number]

/**
 * A cookie bound to this host: Secure (loopback counts), without a Domain, and out of reach of scripts (security §3.2).
 * Without an age it lasts as long as the browser session.
 */
export function hostCookie(name: OwnCookie, maxAge?: number): Cookie {
  return createCookie(name, {
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'lax',
    ...(maxAge !== undefined && { maxAge }),
    encode: asItIs,
    decode: asRemixReads,
  })
}

/** The value of the cookie in a request, or null. */
export async function cookieOf(cookie: Cookie, request: Request): Promise<string | null> {
  const value: unknown = await cookie.parse(pairOf(request.headers.get('Cookie') ?? '', cookie.name))
  return typeof value === 'string' && value !== '' ? value : null
}

/** So many blanks before a name are looked at. */
const BLANKS = 8

/** The first pair of that name, alone: a request may bring thousands of others, and decoding them takes long. */
function pairOf(header: string, name: string): string | null {
  for (let at = header.indexOf(`${name}=`); at >= 0; at = header.indexOf(`${name}=`, at + 1)) {
    const before = header.slice(Math.max(0, at - BLANKS), at).trimEnd()
    if (!before.endsWith(';') && !(before === '' && at <= BLANKS)) continue
    const end = header.indexOf(';', at)
    return header.slice(at, end < 0 ? undefined : end)
  }
  return null
}

/** The value of the first cookie of that name in a header, as it is written there; one of ours is a token, and written as it is. */
export const cookieIn = (header: string, name: string): string | null =>
  pairOf(header, name)
    ?.slice(name.length + 1)
    .trim() ?? null

/** The header that removes the cookie of that name from the browser. */
export const expired = (name: string): string => `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`

/** The same, of a cookie. */
export const removed = (cookie: Cookie): Promise<string> => cookie.serialize('', { maxAge: 0 })

// Remix writes a value as JSON in base64. Ours are tokens, which are sent in the header as they are.
function asItIs(written: string): string {
  return written === '' ? '' : String(JSON.parse(atob(written)))
}

function asRemixReads(value: string): string {
  return value === '' ? '' : btoa(JSON.stringify(value))
}

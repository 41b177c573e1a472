import { type Cookie, createCookie } from '@remix-run/node'
import { minutes } from '../../domain/shared/dates.ts'
import { CODE_MS } from '../../services/codes.ts'
import { PROOF_MS } from '../../services/proof-endings.ts'
import { CHALLENGE_MS } from '../../services/sessions/challenges.ts'

export const FLOW_SECONDS = 10 * 60
/** Of a form on its way through the login. */
export const CARRIED_MS = minutes(15)

const DAY_SECONDS = 86_400

/**
 * What a browser has of its member, and for how many seconds; null: until it is closed. A sign-out ends it (decision 0046). The
 * privacy page names each.
 */
const ENDED = {
  /** Thirty days, where the browser is to be remembered (security §3.2). */
  '__Host-buzz': null,
  '__Host-signup': PROOF_MS / 1_000,
  /** A while longer than its sign-in waits, so that a late code is answered. */
  '__Host-challenge': (CHALLENGE_MS + minutes(10)) / 1_000,
  '__Host-leaving': 10,
  '__Host-from': FLOW_SECONDS,
  '__Host-typed0': CARRIED_MS / 1_000,
  '__Host-typed1': CARRIED_MS / 1_000,
  /** As long as the code works. */
  '__Host-code': CODE_MS / 1_000,
  '__Host-reset': CODE_MS / 1_000,
  '__Host-filters': 30 * DAY_SECONDS,
  '__Host-back': 60 * 60,
  '__Host-splash': null,
  '__Host-theme': 400 * DAY_SECONDS,
} as const
/** What outlives a session: that the browser is known, and for seconds the position that its next page must show. */
const KEPT = { '__Host-device': 400 * DAY_SECONDS, '__Host-pos': 10, '__Host-live': 10 } as const
/** Each tab at Google has one more, whose name begins with this. */
export const FLOW_COOKIE = '__Host-google'

type OwnCookie = keyof typeof ENDED | keyof typeof KEPT
export type CookieName = OwnCookie | typeof FLOW_COOKIE
export const ENDED_COOKIES = Object.keys(ENDED) as readonly (keyof typeof ENDED)[]
export const COOKIE_SECONDS: Readonly<Record<CookieName, number | null>> = {
  ...ENDED,
  ...KEPT,
  [FLOW_COOKIE]: FLOW_SECONDS,
}

/** A cookie bound to this host: Secure (loopback counts), without a Domain, and out of reach of scripts (security §3.2). */
export function hostCookie(name: OwnCookie): Cookie {
  const maxAge = COOKIE_SECONDS[name]
  return createCookie(name, {
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'lax',
    ...(maxAge !== null && { maxAge }),
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

import type { Logger } from '../../services/log.ts'
import { fewLines } from './few-lines.ts'

/** What whoever watches over the product wants to see (security O3); docs/security.md has what each means. */
export const SECURITY_EVENTS = [
  'login',
  'login-failed',
  'new-device',
  'code-asked',
  'code-failed',
  'address-proved',
  'reauthenticated',
  'password-reset',
  'limit-hit',
  'denied',
] as const
export type SecurityEvent = (typeof SECURITY_EVENTS)[number]

type Answered = {
  readonly method: string
  readonly pathname: string
  readonly status: number
  readonly signsIn: boolean
  readonly challenged: boolean
  readonly cameSignedIn: boolean
  readonly kinds: readonly SecurityEvent[]
}
const CALL = /^\/api\/auth\/(login|second-factor)$/i
const GOOGLE_CALL = /^\/api\/auth\/google$/i
const SIGN_UP_CALL = /^\/api\/auth\/register-full$/i
const PAGE = /^\/login(\/code)?(\.data)?$/i
const CODE_PAGE = /^\/login\/code/i
const BACK_FROM_GOOGLE = /^\/auth\/google\/callback(\.data)?$/i

/**
 * The security event of an answered request, by its address and status, and by the session that a page gives; null for all
 * others. What is asked for a second factor is no event: the answer to that is one. Nor is a newcomer from Google, whose
 * address is proved.
 */
export function securityEventOf({ method, pathname, status, ...came }: Answered): SecurityEvent | null {
  if (status === 429) return 'limit-hit'
  if (came.challenged || came.kinds.includes('address-proved')) return null
  const asked = loginOf(method, pathname)
  if (status === 401 || status === 403) return asked ? 'login-failed' : 'denied'
  if (status === 409 && GOOGLE_CALL.test(pathname)) return 'login-failed'
  if (status >= 400) return null
  if (came.signsIn || asked === 'call') return 'login'
  if (method === 'POST' && SIGN_UP_CALL.test(pathname)) return 'login'
  // Back to the login, where the sign-in is over; a member who is signed in is sent on.
  return asked === 'last step' && !came.cameSignedIn ? 'login-failed' : null
}

/** What of a sign-in is asked for: all of it by a call, a page of it, or the page that ends it either way. */
function loginOf(method: string, pathname: string): 'call' | 'page' | 'last step' | null {
  if (BACK_FROM_GOOGLE.test(pathname)) return 'last step'
  if (method !== 'POST') return null
  if (CALL.test(pathname) || GOOGLE_CALL.test(pathname)) return 'call'
  if (!PAGE.test(pathname)) return null
  return CODE_PAGE.test(pathname) ? 'last step' : 'page'
}

/** `who` and `network` are for hashes alone; `route` is a pattern, null where nothing has the address. */
export type SecurityNote = {
  readonly kind: SecurityEvent
  readonly network: string
  readonly who: string | null
  readonly route: string | null
  readonly requestId?: string
  readonly method?: string
  readonly status?: number
}

/** What a stranger may cause without end; all others have limits of their own. */
const FLOODS: readonly SecurityEvent[] = ['denied', 'limit-hit', 'login-failed', 'code-failed']

/**
 * Logs security events by kind, with keyed hashes of who and where from, never these themselves. Those of a kind that floods are
 * so many lines a minute of each network and account, whatever comes beside them. `count`: how many were left out before the line.
 */
export function securityLog(logger: Logger, hash: (text: string) => string): (note: SecurityNote) => void {
  const write = ({ network, who, route, ...fields }: SecurityNote, count: number) =>
    logger.info('A security event.', {
      ...fields,
      where: hash(`network ${network}`),
      ...(route !== null && { route }),
      ...(who !== null && { who: hash(`who ${who}`) }),
      ...(count > 0 && { count }),
    })
  const few = new Map(FLOODS.map((kind) => [kind, fewLines(write)]))
  return (note) => {
    const writeFew = few.get(note.kind)
    if (writeFew) writeFew(`${note.network} ${note.who ?? ''}`, note)
    else write(note, 0)
  }
}

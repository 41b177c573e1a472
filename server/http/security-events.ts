/** What whoever watches over the product wants to see (security O3). */
export type SecurityEvent = 'login' | 'login-failed' | 'new-device' | 'password-reset' | 'limit-hit' | 'denied'

type Answered = {
  readonly method: string
  readonly pathname: string
  readonly status: number
  readonly signsIn: boolean
  readonly challenged: boolean
}
const CALL = /^\/api\/auth\/(login|second-factor)$/i
const PAGE = /^\/login(\/code)?(\.data)?$/i
const CODE_PAGE = /^\/login\/code/i

/**
 * The security event of an answered request, by its address and status, and by the session that a page gives; null for all
 * others. What is asked for a second factor is no event: the answer to that is one.
 */
export function securityEventOf({ method, pathname, status, signsIn, challenged }: Answered): SecurityEvent | null {
  if (status === 429) return 'limit-hit'
  if (challenged) return null
  const isLogin = method === 'POST' && (CALL.test(pathname) || PAGE.test(pathname))
  if (status === 401 || status === 403) return isLogin ? 'login-failed' : 'denied'
  if (!isLogin || status >= 400) return null
  if (signsIn || CALL.test(pathname)) return 'login'
  // Back to the login, where the sign-in is over.
  return CODE_PAGE.test(pathname) ? 'login-failed' : null
}

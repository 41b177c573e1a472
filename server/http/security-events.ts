import type { RequestLine } from './handler.ts'

/** What whoever watches over the product wants to see (security O3). */
export type SecurityEvent = 'login' | 'login-failed' | 'new-device' | 'password-reset' | 'limit-hit' | 'denied'

type Answered = Pick<RequestLine, 'method' | 'pathname' | 'status'>
const LOGIN = /^\/(api\/auth\/)?login(\.data)?$/i

/** The security event of an answered request, by its address and status alone; null for all others. */
export function securityEventOf({ method, pathname, status }: Answered): SecurityEvent | null {
  if (status === 429) return 'limit-hit'
  const isLogin = method === 'POST' && LOGIN.test(pathname)
  if (status === 401 || status === 403) return isLogin ? 'login-failed' : 'denied'
  return isLogin && status < 400 ? 'login' : null
}

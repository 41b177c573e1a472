import { z } from 'zod'
import { CODE_RESEND_MS } from '../../../services/codes.ts'
import { cookieOf, hostCookie, removed } from '../../request/cookie.server.ts'

/** Without it a reload of the page would ask for the address again. */
const cookie = hostCookie('__Host-code')
const Pending = z.object({ email: z.string(), resendAt: z.number() })

/** Whom a code was sent to from this browser, and when another one may be asked for. */
export type PendingCode = { readonly email: string; readonly resendInMs: number }

export async function pendingCode(request: Request, now: Date): Promise<PendingCode | null> {
  const value = await cookieOf(cookie, request)
  const read = value ? Pending.safeParse(parsed(value)) : null
  if (!read?.success) return null
  const { email, resendAt } = read.data
  return { email, resendInMs: Math.min(CODE_RESEND_MS, Math.max(0, resendAt - now.getTime())) }
}

/** Asking again is open once `waitMs` have passed. */
export function keepPendingCode(email: string, now: Date, waitMs = CODE_RESEND_MS): Promise<string> {
  const pending = { email, resendAt: now.getTime() + waitMs }
  return cookie.serialize(Buffer.from(JSON.stringify(pending)).toString('base64url'))
}

export const forgetPendingCode = (): Promise<string> => removed(cookie)

function parsed(value: string): unknown {
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString())
  } catch {
    return null
  }
}

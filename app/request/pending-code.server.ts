import { z } from 'zod'
import { CODE_RESEND_MS, type CodePurpose } from '../../services/codes.ts'
import { cookieOf, hostCookie, removed } from './cookie.server.ts'

/** Without them a reload of the page would ask for the address again. */
const COOKIES = { signup: hostCookie('__Host-code'), reset: hostCookie('__Host-reset') } as const
const Pending = z.object({ email: z.string(), resendAt: z.number() })

/** Whom a code was asked for from this browser, and when another one may be. */
export type PendingCode = { readonly email: string; readonly resendInMs: number }

export async function pendingCode(purpose: CodePurpose, request: Request, now: Date): Promise<PendingCode | null> {
  const value = await cookieOf(COOKIES[purpose], request)
  const read = value ? Pending.safeParse(parsed(value)) : null
  if (!read?.success) return null
  const { email, resendAt } = read.data
  return { email, resendInMs: Math.min(CODE_RESEND_MS, Math.max(0, resendAt - now.getTime())) }
}

/** Asking again is open once `waitMs` have passed. */
export function keepPendingCode(
  purpose: CodePurpose,
  email: string,
  now: Date,
  waitMs = CODE_RESEND_MS,
): Promise<string> {
  const pending = { email, resendAt: now.getTime() + waitMs }
  return COOKIES[purpose].serialize(Buffer.from(JSON.stringify(pending)).toString('base64url'))
}

export const forgetPendingCode = (purpose: CodePurpose): Promise<string> => removed(COOKIES[purpose])

function parsed(value: string): unknown {
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString())
  } catch {
    return null
  }
}

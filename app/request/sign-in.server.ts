import { redirect } from '@remix-run/node'
import type { LoggedIn } from '../../usecases/identity/open-session.ts'
import { ownPath, withReturnTo } from './return-to.ts'
import { challengeCookie, deviceCookie, sessionCookie } from './session-cookie.server.ts'

/**
 * Stores the session and marks the browser as known, then redirects; a deactivated member to the page that reactivates.
 */
export async function signedIn(
  { token, session, device, status }: LoggedIn,
  redirectTo: string | null = null,
): Promise<Response> {
  const headers = new Headers()
  headers.append('Set-Cookie', await sessionCookie(token, session.remember))
  headers.append('Set-Cookie', await deviceCookie(device))
  return redirect(status === 'deactivated' ? '/settings/delete' : ownPath(redirectTo), { headers })
}

/** Where a sign-in is ended by the code of a second factor. */
export const CODE_PAGE = '/login/code'

/** Leads to the page that asks for the code; the browser keeps the challenge out of reach of scripts. */
export async function askForCode(challenge: string, redirectTo: string | null = null): Promise<Response> {
  const headers = { 'Set-Cookie': await challengeCookie(challenge) }
  return redirect(withReturnTo(CODE_PAGE, ownPath(redirectTo)), { headers })
}

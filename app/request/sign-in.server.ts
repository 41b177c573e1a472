import { redirect } from '@remix-run/node'
import type { LoggedIn } from '../../usecases/identity/open-session.ts'
import { ownPath } from './return-to.ts'
import { deviceCookie, sessionCookie } from './session-cookie.server.ts'

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

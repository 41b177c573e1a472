import { redirect } from '@remix-run/node'
import type { LoggedIn } from '../../usecases/identity/open-session.ts'
import { ownPath } from './return-to.ts'
import { deviceCookie, sessionCookie } from './session-cookie.server.ts'

/** Keeps the session and the browser as a known one, and goes on; a deactivated member to where the way back is. */
export async function signedIn(
  { token, session, device, status }: LoggedIn,
  redirectTo: string | null = null,
): Promise<Response> {
  const headers = new Headers()
  headers.append('Set-Cookie', await sessionCookie(token, session.remember))
  headers.append('Set-Cookie', await deviceCookie(device))
  return redirect(status === 'deactivated' ? '/settings/delete' : ownPath(redirectTo), { headers })
}

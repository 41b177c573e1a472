import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { logOut } from '../../../usecases/identity/log-out.ts'
import { openPage } from '../../request/guards.server.ts'
import { noSessionCookie } from '../../request/session-cookie.server.ts'

/** A GET changes nothing. */
export async function loader() {
  throw redirect('/')
}

/** Ends the session and clears what this browser keeps, then goes to the landing page (spec 1 §4). */
export async function action({ context }: ActionFunctionArgs) {
  openPage(context)
  await logOut(context, await context.viewer())
  const headers = new Headers({ 'Clear-Site-Data': '"cache", "storage", "cookies"' })
  headers.append('Set-Cookie', await noSessionCookie())
  throw redirect('/', { headers })
}

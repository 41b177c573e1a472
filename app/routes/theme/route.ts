import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { openPage } from '../../request/guards.server.ts'
import { ownPath } from '../../request/return-to.ts'
import { themeCookie } from '../../shell/theme.server.ts'
import { parseTheme } from '../../shell/theme.ts'

export async function loader({ context }: LoaderFunctionArgs) {
  openPage(context)
  throw redirect('/')
}

/** Keeps the chosen theme on this device and goes back to the page it was chosen on. */
export async function action({ request, context }: ActionFunctionArgs) {
  openPage(context)
  const form = await request.formData()
  const headers = { 'Set-Cookie': await themeCookie(parseTheme(form.get('theme'))) }
  if (form.get('stay') === 'yes') return Response.json({ ok: true }, { headers })
  throw redirect(ownPath(form.get('returnTo')), { headers })
}

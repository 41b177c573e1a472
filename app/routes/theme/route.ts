import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { doneReply } from '../../forms/form.server.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
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
  const form = await receiveFields(context, request)
  const headers = { 'Set-Cookie': await themeCookie(parseTheme(form.get('theme'))) }
  const reply = doneReply(form, null, ownPath(form.get('returnTo')), headers)
  return data(reply, { headers })
}

export const clientAction = sendForm()

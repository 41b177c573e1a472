import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { startGoogle } from '../../request/google.server.ts'
import { requireAnonymous } from '../../request/guards.server.ts'
import { ownPath } from '../../request/return-to.ts'

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context, request)
  throw redirect('/login')
}

/** Begins signing in with Google; the form names the page it is on, and where to go after. */
export async function action({ request, context }: ActionFunctionArgs) {
  await requireAnonymous(context, request)
  const form = await receiveFields(context, request)
  const from = form.get('from') === 'signup' ? 'signup' : 'login'
  throw await startGoogle(context, request, { from, redirectTo: ownPath(form.get('redirectTo')) })
}

import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { startGoogle } from '../../request/google.server.ts'
import { requireAnonymous } from '../../request/guards.server.ts'

export async function loader({ context }: LoaderFunctionArgs) {
  await requireAnonymous(context)
  throw redirect('/login')
}

/** Begins signing in with Google; the form says from which page. */
export async function action({ request, context }: ActionFunctionArgs) {
  await requireAnonymous(context)
  const form = await receiveFields(context, request)
  throw await startGoogle(context, request, form.get('from') === 'signup' ? 'signup' : 'login')
}

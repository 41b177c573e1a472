import type { LoaderFunctionArgs } from '@remix-run/node'
import { finishGoogle } from '../../request/google.server.ts'
import { requireAnonymous } from '../../request/guards.server.ts'

/** Where Google sends the browser back to. The state in the address and in the cookie make it more than a link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context, request)
  return finishGoogle(context, request)
}

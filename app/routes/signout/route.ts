import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import type { ClientActionFunctionArgs } from '@remix-run/react'
import { logOut } from '../../../usecases/identity/log-out.ts'
import { sendForm } from '../../forms/send-form.ts'
import { openPage } from '../../request/guards.server.ts'
import { leavingHeaders } from '../../request/leaving-headers.server.ts'
import { proofTokenOf } from '../../request/session-cookie.server.ts'
import { markLeaving } from '../../shell/leaving.ts'
import { SIGNOUT_UNANSWERED } from '../../words/unanswered-pages.ts'

const send = sendForm({ words: SIGNOUT_UNANSWERED })

export const clientAction = (args: ClientActionFunctionArgs) => {
  markLeaving()
  return send(args)
}

/** A GET changes nothing. */
export async function loader() {
  throw redirect('/')
}

/** Ends the session, and a registration that is not finished, and clears what this browser keeps, then goes to the landing page (spec 1 §4). */
export async function action({ request, context }: ActionFunctionArgs) {
  openPage(context)
  await logOut(context, { viewer: await context.viewer(), signupToken: await proofTokenOf(request) })
  throw redirect('/', { headers: leavingHeaders(request) })
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData, useNavigate } from '@remix-run/react'
import { useCallback } from 'react'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { openPage } from '../../request/guards.server.ts'
import { loginPath, ownPath } from '../../request/return-to.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { AuthFrame } from '../../ui/auth/auth-frame.tsx'
import { ForgotPassword, type ForgotReply } from '../../ui/auth/forgot-password.tsx'
import { INVALID_CODE } from '../../words/auth-words.ts'
import { RESET_UNANSWERED } from '../../words/unanswered-pages.ts'
import { forgotPasswordAction } from './action.server.ts'

export const handle: ShellHandle = { frame: 'bare' }
const titleOf = (data: { undoes: boolean } | undefined) => (data?.undoes ? 'Take your account back' : 'Forgot password')
export const meta = ({ data }: { data?: { undoes: boolean } }) => pageTitle(titleOf(data))

/**
 * For everybody: who is signed in may have lost the password, or share the session with whoever took the account. A mail's
 * link opens the page on its second step; nothing is used up by looking.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const link = searchParams.get('link')
  openPage(context)
  const undoes = link !== null && (await context.undoLinks.find(link)) !== null
  const live = undoes || (link !== null && (await context.codes.peekLink('reset', link)) !== null)
  return {
    link: live ? link : null,
    undoes,
    expired: link !== null && !live,
    redirectTo: ownPath(searchParams.get('redirectTo')),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  openPage(context)
  const reply = await forgotPasswordAction(context, await receiveFields(context, request))
  return data(reply, reply.status)
}

export const clientAction = sendForm({ byIntent: RESET_UNANSWERED })

/** Of a link that works no more. */
const EXPIRED: ForgotReply = { status: 400, fields: { '': INVALID_CODE }, values: {} }

export default function ForgotPasswordPage() {
  const { link, expired, redirectTo, ...found } = useLoaderData<typeof loader>()
  const reply = useReply(useActionData<typeof action>())
  // Used up, a link is no longer found.
  const undoes = found.undoes || reply?.values.undoes !== undefined
  const navigate = useNavigate()
  const goToLogin = useCallback(() => navigate(loginPath(redirectTo), { replace: true }), [navigate, redirectTo])
  return (
    <AuthFrame title={titleOf({ undoes })}>
      <ForgotPassword
        reply={reply ?? (expired ? EXPIRED : undefined)}
        form={Form}
        link={link}
        undoes={undoes}
        redirectTo={redirectTo}
        onDone={goToLogin}
      />
      <p>
        <Link to={loginPath(redirectTo)}>Back to login</Link>
      </p>
    </AuthFrame>
  )
}

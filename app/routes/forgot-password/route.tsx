import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData, useNavigate } from '@remix-run/react'
import { useCallback } from 'react'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { requireAnonymous } from '../../request/guards.server.ts'
import { loginPath, ownPath } from '../../request/return-to.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { AuthFrame } from '../../ui/auth/auth-frame.tsx'
import { ForgotPassword, type ForgotReply } from '../../ui/auth/forgot-password.tsx'
import { INVALID_CODE } from '../../words/auth-words.ts'
import { RESET_UNANSWERED } from '../../words/unanswered.ts'
import { forgotPasswordAction } from './action.server.ts'

export const handle: ShellHandle = { frame: 'bare' }
export const meta = () => pageTitle('Forgot password')

/** The mail's link opens the page on its second step; nothing is used up by looking. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context, request)
  const { searchParams } = new URL(request.url)
  const link = searchParams.get('link')
  const live = link !== null && (await context.codes.peekLink('reset', link)) !== null
  return {
    link: live ? link : null,
    expired: link !== null && !live,
    redirectTo: ownPath(searchParams.get('redirectTo')),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireAnonymous(context, request)
  const reply = await forgotPasswordAction(context, await receiveFields(context, request))
  return data(reply, reply.status)
}

export const clientAction = sendForm({ byIntent: RESET_UNANSWERED })

/** Of a link that works no more. */
const EXPIRED: ForgotReply = { status: 400, fields: { '': INVALID_CODE }, values: {} }

export default function ForgotPasswordPage() {
  const { link, expired, redirectTo } = useLoaderData<typeof loader>()
  const reply = useReply(useActionData<typeof action>())
  const navigate = useNavigate()
  const goToLogin = useCallback(() => navigate(loginPath(redirectTo), { replace: true }), [navigate, redirectTo])
  return (
    <AuthFrame title="Forgot password">
      <ForgotPassword
        reply={reply ?? (expired ? EXPIRED : undefined)}
        form={Form}
        link={link}
        redirectTo={redirectTo}
        onDone={goToLogin}
      />
      <p>
        <Link to={loginPath(redirectTo)}>Back to login</Link>
      </p>
    </AuthFrame>
  )
}

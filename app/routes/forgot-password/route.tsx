import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData, useNavigate } from '@remix-run/react'
import { useCallback } from 'react'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { askedReturnTo, openPage } from '../../request/guards.server.ts'
import { forgetPendingCode, pendingCode } from '../../request/pending-code.server.ts'
import { loginPath, withReturnTo } from '../../request/return-to.ts'
import { isFromElsewhere } from '../../request/used-elsewhere.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import type { AfterReset } from '../../ui/auth/after-reset.ts'
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
 * link opens the page on its second step; nothing is used up by looking. A browser that asked for a code stays at it, until
 * it is another address's turn.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const link = searchParams.get('link')
  const redirectTo = askedReturnTo(request)
  openPage(context)
  if (searchParams.has('other')) {
    const plain = withReturnTo('/forgot-password', redirectTo)
    throw isFromElsewhere(request) ? redirect(plain) : await withoutCode(plain)
  }
  const undoes = link !== null && (await context.undoLinks.find(link)) !== null
  const live = undoes || (link !== null && (await context.codes.peekLink('reset', link)) !== null)
  return {
    link: live ? link : null,
    undoes,
    expired: link !== null && !live,
    pending: await pendingCode('reset', request, context.now()),
    passwordMin: context.config.passwordMin,
    redirectTo,
  }
}

async function withoutCode(to: string): Promise<Response> {
  return redirect(to, { headers: { 'Set-Cookie': await forgetPendingCode('reset') } })
}

export async function action({ request, context }: ActionFunctionArgs) {
  openPage(context)
  const pending = await pendingCode('reset', request, context.now())
  const { reply, headers } = await forgotPasswordAction(context, await receiveFields(context, request), pending)
  return data(reply, { status: reply.status, ...(headers && { headers }) })
}

export const clientAction = sendForm({ byIntent: RESET_UNANSWERED })

/** Of a link that works no more. */
const EXPIRED: ForgotReply = { status: 400, fields: { '': INVALID_CODE }, values: {} }

export default function ForgotPasswordPage() {
  const { link, expired, redirectTo, pending, passwordMin, ...found } = useLoaderData<typeof loader>()
  const reply = useReply(useActionData<typeof action>())
  // Used up, a link is no longer found.
  const undoes = found.undoes || reply?.values.undoes !== undefined
  const navigate = useNavigate()
  const goToLogin = useCallback(
    (state: AfterReset) => navigate(loginPath(redirectTo), { replace: true, state }),
    [navigate, redirectTo],
  )
  return (
    <AuthFrame title={titleOf({ undoes })}>
      <ForgotPassword
        reply={reply ?? (expired ? EXPIRED : undefined)}
        form={Form}
        link={link}
        undoes={undoes}
        pending={pending}
        passwordMin={passwordMin}
        redirectTo={redirectTo}
        otherTo={withReturnTo('/forgot-password', redirectTo, { other: '' })}
        onDone={goToLogin}
      />
      <p>
        <Link to={loginPath(redirectTo)}>Back to login</Link>
      </p>
    </AuthFrame>
  )
}

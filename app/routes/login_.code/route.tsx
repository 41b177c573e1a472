import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { formOf } from '../../forms/reply.ts'
import { requireReply } from '../../forms/require-reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { askedReturnTo, requireAnonymous } from '../../request/guards.server.ts'
import { loginPath, withReturnTo } from '../../request/return-to.ts'
import { challengeOf } from '../../request/session-cookie.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { AuthFrame, CodeInput, RecoveryCodeInput } from '../../ui/auth/auth-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { LOGIN_UNANSWERED } from '../../words/unanswered-pages.ts'
import { codeAction, ended } from './action.server.ts'

const HERE = '/login/code'

export const handle: ShellHandle = { frame: 'bare' }
export const meta = () => pageTitle('Enter your code')

/** For who gave the right password, or whom Google vouches for, and has a second factor (api-contract C01). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context, request)
  const redirectTo = askedReturnTo(request)
  const challenge = await challengeOf(request)
  if (!challenge) throw redirect(loginPath(redirectTo))
  if (!(await context.challenges.find(challenge))) throw await ended(redirect(loginPath(redirectTo, { over: '' })))
  return { recovery: new URL(request.url).searchParams.has('recovery'), redirectTo }
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireAnonymous(context, request)
  const reply = await codeAction(context, request, askedReturnTo(request))
  return data(reply, reply.status)
}

export const clientAction = requireReply(sendForm({ words: LOGIN_UNANSWERED }), 'Malformed server response')

type CodeFormProps = { action: string; Input: typeof CodeInput }

/** One kind of code: what became of it is no matter of the other. */
function CodeForm({ action: to, Input }: CodeFormProps) {
  const form = formOf({ reply: useReply(useActionData<typeof action>()) })
  const busy = useNavigation().formAction?.startsWith(HERE) ?? false
  return (
    <Form method="post" action={to} replace className="stack" noValidate>
      <ErrorSummary form={form} />
      <Input {...form.field('code')} autoFocus />
      <Button tone="primary" size="l" wide busy={busy}>
        Log in
      </Button>
    </Form>
  )
}

export default function EnterCode() {
  const { recovery, redirectTo } = useLoaderData<typeof loader>()
  const byApp = withReturnTo(HERE, redirectTo)
  const byRecovery = withReturnTo(HERE, redirectTo, { recovery: '' })
  return (
    <AuthFrame
      title="Enter your code"
      lead={recovery ? 'One of the codes that you kept for this.' : 'Your authenticator app shows it.'}
    >
      <CodeForm
        key={String(recovery)}
        action={recovery ? byRecovery : byApp}
        Input={recovery ? RecoveryCodeInput : CodeInput}
      />
      <p>
        {recovery ? <Link to={byApp}>Use the code of your app</Link> : <Link to={byRecovery}>Use a recovery code</Link>}
      </p>
      <p>
        <Link to={loginPath(redirectTo)}>Back to login</Link>
      </p>
    </AuthFrame>
  )
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import {
  Form,
  Link,
  useActionData,
  useFetcher,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
} from '@remix-run/react'
import { type MouseEvent, useCallback, useRef } from 'react'
import { Checkbox } from '../../forms/chips.tsx'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { formOf } from '../../forms/reply.ts'
import { requireReply } from '../../forms/require-reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import { useReply } from '../../forms/use-reply.ts'
import { askedReturnTo, requireAnonymous } from '../../request/guards.server.ts'
import { forgetPendingCode, type PendingCode, pendingCode } from '../../request/pending-code.server.ts'
import { loginPath, withReturnTo } from '../../request/return-to.ts'
import { isFromElsewhere } from '../../request/used-elsewhere.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { type AfterReset, useAfterReset, usePasswordFocus } from '../../ui/auth/after-reset.ts'
import { AuthFrame, ProviderForm } from '../../ui/auth/auth-frame.tsx'
import { ForgotPassword, type ForgotReply } from '../../ui/auth/forgot-password.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { underWay } from '../../ui/under-way.ts'
import { ACCOUNT_READY, GOOGLE_WORDS, SESSION_ENDED, SIGN_IN } from '../../words/auth-words.ts'
import { SIGN_IN_OVER } from '../../words/second-factor-words.ts'
import { LOGIN_UNANSWERED } from '../../words/unanswered-pages.ts'
import { sentenceOf } from '../../words/words.ts'
import { logInAction, requireOwnAccount } from './action.server.ts'

export const meta = () => pageTitle('Login')

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context, request)
  const { searchParams } = new URL(request.url)
  const redirectTo = askedReturnTo(request)
  const forgot = searchParams.has('forgot')
  if (forgot && searchParams.has('other')) {
    const plain = loginPath(redirectTo, { forgot: '' })
    throw isFromElsewhere(request) ? redirect(plain) : await withoutCode(plain)
  }
  return {
    provider: context.config.google,
    forgot: forgot && {
      pending: await pendingCode('reset', request, context.now()),
      passwordMin: context.config.passwordMin,
    },
    refused: refusedBy(searchParams),
    ready: searchParams.has('ready'),
    redirectTo,
  }
}

/** The dialog of a forgotten password, which asks for the address anew. */
async function withoutCode(to: string): Promise<Response> {
  const headers = { 'Set-Cookie': await forgetPendingCode('reset') }
  return redirect(to, { headers })
}

function refusedBy(query: URLSearchParams): string | null {
  if (query.has('over')) return SIGN_IN_OVER
  if (query.has('ended')) return SESSION_ENDED
  return sentenceOf(GOOGLE_WORDS, query.get('google'))
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireOwnAccount(context, request)
  await requireAnonymous(context, request)
  const reply = await logInAction(context, request)
  return data(reply, reply.status)
}

export const clientAction = requireReply(sendForm({ words: LOGIN_UNANSWERED }), 'Malformed server response')

type Forgot = { readonly redirectTo: string; readonly pending: PendingCode | null; readonly passwordMin: number }

function ForgotDialog({ redirectTo, ...found }: Forgot) {
  const closeTo = loginPath(redirectTo)
  const fetcher = useFetcher<ForgotReply>()
  const navigate = useNavigate()
  const close = useCallback(
    (state: AfterReset) => navigate(closeTo, { replace: true, preventScrollReset: true, state }),
    [navigate, closeTo],
  )
  const typed = useLocation().state as { email?: string } | null
  return (
    <Dialog title="Forgot password" closeTo={closeTo}>
      <ForgotPassword
        {...found}
        reply={useReply(fetcher.data)}
        email={typed?.email}
        redirectTo={redirectTo}
        otherTo={loginPath(redirectTo, { forgot: '', other: '' })}
        form={fetcher.Form as typeof Form}
        intent={underWay(fetcher)?.get('intent')?.toString()}
        onDone={close}
      />
    </Dialog>
  )
}

/** The address that was typed already goes along. */
function ForgotLink({ redirectTo }: { redirectTo: string }) {
  const navigate = useNavigate()
  const open = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    const email = event.currentTarget.closest('form')?.querySelector<HTMLInputElement>('[name=email]')?.value ?? ''
    navigate(loginPath(redirectTo, { forgot: '' }), { preventScrollReset: true, state: { email } })
  }
  return (
    <Link to={withReturnTo('/forgot-password', redirectTo)} className="thumb" onClick={open}>
      Forgot password?
    </Link>
  )
}

/** `refused`: why the way here came to nothing; `ready`: the account of whoever comes was made just now. */
type Arrival = { readonly redirectTo: string; readonly refused: string | null; readonly ready: boolean }

/** Whoever comes for a page is asked to go on to it. */
function Asked({ refused, ready, redirectTo, after }: Arrival & { after: AfterReset | null }) {
  if (!refused && !after && redirectTo === '/') return null
  const tone = after || (ready && !refused) ? 'leaf' : refused ? 'alarm' : 'plain'
  return (
    <Banner tone={tone} live>
      <p>{after?.reset ?? refused ?? (ready ? ACCOUNT_READY : SIGN_IN)}</p>
    </Banner>
  )
}

/** What the form itself came to takes the place of how its member arrived. */
function LoginForm(arrival: Arrival) {
  const { redirectTo } = arrival
  const after = useAfterReset()
  const form = formOf({ reply: useReply(useActionData<typeof action>()), defaults: { email: after?.email } })
  const whole = useRef<HTMLFormElement>(null)
  usePasswordFocus(whole, after)
  const busy = useNavigation().formAction?.startsWith('/login') ?? false
  return (
    <Form ref={whole} method="post" replace className="stack" data-drafts="none" noValidate>
      {form.reply ? null : <Asked {...arrival} after={after} />}
      <ErrorSummary form={form} />
      <input type="hidden" name="redirectTo" value={redirectTo} />
      <TextInput label="E-mail" {...form.field('email')} type="email" autoComplete="username" />
      <PasswordInput label="Password" {...form.field('password')} />
      <div className="row spread">
        <Checkbox name="remember" label="Remember Me" defaultChecked={form.values('remember').includes('yes')} />
        <ForgotLink redirectTo={redirectTo} />
      </div>
      <Button tone="primary" size="l" wide busy={busy}>
        Log in
      </Button>
    </Form>
  )
}

export default function Login() {
  const { provider, forgot, redirectTo, ...arrival } = useLoaderData<typeof loader>()
  return (
    <AuthFrame title={arrival.ready ? 'Welcome to LetsBuzz' : 'Welcome back'}>
      <LoginForm redirectTo={redirectTo} {...arrival} />
      {provider ? <ProviderForm words="Continue with Google" from="login" redirectTo={redirectTo} /> : null}
      <p className="soft">
        New here? <Link to={arrival.ready ? '/signup?other' : '/signup'}>Sign up</Link>
      </p>
      {forgot ? <ForgotDialog redirectTo={redirectTo} {...forgot} /> : null}
    </AuthFrame>
  )
}

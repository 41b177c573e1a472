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
import { type MouseEvent, useCallback } from 'react'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { Checkbox } from '../../forms/chips.tsx'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { readForm } from '../../forms/forms.server.ts'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import { useSaid } from '../../forms/use-said.ts'
import { requireAnonymous } from '../../request/guards.server.ts'
import { ownPath } from '../../request/return-to.ts'
import { deviceCookie, deviceLabel, deviceOf, sessionCookie } from '../../request/session-cookie.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { AuthFrame, ProviderForm } from '../../ui/auth/auth-frame.tsx'
import { type ForgotData, ForgotPassword } from '../../ui/auth/forgot-password.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

export const meta = () => pageTitle('Login')

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context)
  const { searchParams } = new URL(request.url)
  return {
    provider: context.config.google,
    forgot: searchParams.has('forgot'),
    redirectTo: ownPath(searchParams.get('redirectTo')),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireAnonymous(context)
  const form = await readForm(context, request)
  const email = String(form.get('email') ?? '').trim()
  const answer = await logIn(context, {
    email,
    password: form.get('password'),
    remember: form.get('remember') === 'yes',
    device: deviceOf(request),
    label: deviceLabel(request),
  })
  if (!answer.ok) return data({ email, fields: answer.fields ?? { '': answer.error } }, { status: answer.status })
  const { token, session, device, status } = answer.value
  const headers = new Headers()
  headers.append('Set-Cookie', sessionCookie(token, session.remember))
  headers.append('Set-Cookie', deviceCookie(device))
  throw redirect(status === 'deactivated' ? '/settings/delete' : ownPath(form.get('redirectTo')), { headers })
}

function ForgotDialog() {
  const fetcher = useFetcher<ForgotData>()
  const navigate = useNavigate()
  const close = useCallback(() => navigate('/login', { replace: true, preventScrollReset: true }), [navigate])
  const typed = useLocation().state as { email?: string } | null
  const first: ForgotData = { stage: 'request', email: typed?.email ?? '' }
  return (
    <Dialog title="Forgot password" closeTo="/login">
      <ForgotPassword
        data={useSaid<ForgotData>(fetcher.data, first)}
        form={fetcher.Form as typeof Form}
        busy={fetcher.state !== 'idle'}
        onDone={close}
      />
    </Dialog>
  )
}

/** The address that was typed already goes along. */
function ForgotLink() {
  const navigate = useNavigate()
  const open = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    const email = event.currentTarget.closest('form')?.querySelector<HTMLInputElement>('[name=email]')?.value ?? ''
    navigate('/login?forgot', { preventScrollReset: true, state: { email } })
  }
  return (
    <Link to="/forgot-password" className="thumb" onClick={open}>
      Forgot password?
    </Link>
  )
}

function LoginForm({ redirectTo }: { redirectTo: string }) {
  const said = useActionData<typeof action>()
  const busy = useNavigation().formAction?.startsWith('/login') ?? false
  return (
    <Form method="post" replace className="stack" noValidate>
      <ErrorSummary errors={said?.fields} />
      <input type="hidden" name="redirectTo" value={redirectTo} />
      <TextInput
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={said?.email}
        error={said?.fields.email}
      />
      <PasswordInput label="Password" name="password" error={said?.fields.password} />
      <div className="row spread">
        <Checkbox name="remember" label="Remember Me" />
        <ForgotLink />
      </div>
      <Button tone="primary" size="l" wide busy={busy}>
        Login
      </Button>
    </Form>
  )
}

export default function Login() {
  const { provider, forgot, redirectTo } = useLoaderData<typeof loader>()
  return (
    <AuthFrame title="Welcome back">
      <LoginForm redirectTo={redirectTo} />
      {provider ? <ProviderForm words="Continue with Google" /> : null}
      <p className="soft">
        New here? <Link to="/signup">Sign up</Link>
      </p>
      {forgot ? <ForgotDialog /> : null}
    </AuthFrame>
  )
}

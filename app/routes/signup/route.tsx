import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useNavigate } from '@remix-run/react'
import { useCallback } from 'react'
import { sendCode } from '../../../usecases/identity/send-code.ts'
import { verifyCode } from '../../../usecases/identity/verify-code.ts'
import { INVALID_DOB } from '../../../usecases/register/rules.ts'
import { readForm } from '../../forms/forms.server.ts'
import { useSaid } from '../../forms/use-said.ts'
import { requireAnonymous } from '../../request/guards.server.ts'
import { proofOf } from '../../request/proof.server.ts'
import { proofCookie } from '../../request/session-cookie.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { AuthFrame, ProviderForm } from '../../ui/auth/auth-frame.tsx'
import { Banner } from '../../ui/banner.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { CodeForm, EmailForm, type SignUpData, Verified } from './sign-up-forms.tsx'

export const meta = () => pageTitle('Sign up')

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context)
  const refused = new URL(request.url).searchParams.get('refused') === 'age'
  return {
    provider: context.config.google,
    started: (await proofOf(context, request)) !== null,
    refused: refused ? INVALID_DOB : null,
  }
}

type Said = SignUpData & { status: number }

export async function action({ request, context }: ActionFunctionArgs) {
  await requireAnonymous(context)
  const form = await readForm(context, request)
  const email = String(form.get('email') ?? '').trim()
  if (form.get('intent') !== 'verify') {
    const { status, ...said } = await send()
    return data(said, { status })
  }
  const answer = await verifyCode(context, { email, code: form.get('code') })
  if (!answer.ok) {
    const said: SignUpData = { stage: 'code', email, fields: answer.fields ?? { '': answer.error } }
    return data(said, { status: answer.status })
  }
  const headers = { 'Set-Cookie': proofCookie(answer.value.signupToken) }
  if (form.get('script') !== 'yes') throw redirect('/register', { headers })
  const verified: SignUpData = { stage: 'verified', email }
  return data(verified, { headers })

  async function send(): Promise<Said> {
    const sent = await sendCode(context, { email })
    const sentAt = context.now().toISOString()
    if (sent.ok) return { stage: 'code', email, message: sent.value.message, sentAt, status: 200 }
    const fields = sent.fields ?? { '': sent.error }
    if (sent.retryInMs === undefined || sent.fields) return { stage: 'email', email, fields, status: sent.status }
    return { stage: 'code', email, fields, sentAt, resendInMs: sent.retryInMs, status: sent.status }
  }
}

/** The verified message stands for a moment before the page leaves. */
export const shouldRevalidate = () => false

export default function SignUp() {
  const { provider, started, refused } = useLoaderData<typeof loader>()
  const said = useSaid<SignUpData>(useActionData<typeof action>(), { stage: 'email', email: '' })
  const navigate = useNavigate()
  const goOn = useCallback(() => navigate('/register', { replace: true }), [navigate])
  if (said.stage === 'verified') {
    return (
      <AuthFrame title="Sign up">
        <Verified onDone={goOn} />
      </AuthFrame>
    )
  }
  if (said.stage === 'code') {
    return (
      <AuthFrame title="Check your mail">
        <CodeForm said={said} />
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title="Sign up" lead="Meet people near you. For adults, 18 and older.">
      {refused ? (
        <Banner tone="alarm" live>
          <p>{refused}</p>
        </Banner>
      ) : null}
      {started ? (
        <Banner action={<LinkButton to="/register">Continue</LinkButton>}>
          <p>Your registration is waiting for you.</p>
        </Banner>
      ) : null}
      <EmailForm said={said} />
      {provider ? <ProviderForm words="Sign up with Google" /> : null}
      <p className="soft">
        Already a member? <Link to="/login">Login</Link>
      </p>
    </AuthFrame>
  )
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useNavigate } from '@remix-run/react'
import { useCallback } from 'react'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { requireAnonymous } from '../../request/guards.server.ts'
import { forgetPendingCode, pendingCode } from '../../request/pending-code.server.ts'
import { proofOf, refuseRegistered } from '../../request/proof.server.ts'
import { noProofCookie } from '../../request/session-cookie.server.ts'
import { isFromElsewhere } from '../../request/used-elsewhere.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { AuthFrame, ProviderForm } from '../../ui/auth/auth-frame.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { GOOGLE_SIGN_UP_WORDS } from '../../words/auth-words.ts'
import { INVALID_DOB } from '../../words/registration-words.server.ts'
import { SIGNUP_UNANSWERED } from '../../words/unanswered-pages.ts'
import { sentenceOf } from '../../words/words.ts'
import { signUpAction } from './action.server.ts'
import { CodeForm, EmailForm, stageOf, Verified } from './sign-up-forms.tsx'

export const meta = () => pageTitle('Sign up')

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAnonymous(context, request)
  const { searchParams } = new URL(request.url)
  const proof = await proofOf(context, request)
  if (searchParams.has('other')) throw isFromElsewhere(request) ? redirect('/signup') : await beginAnew(proof === null)
  if (!proof) await refuseRegistered(context, request)
  const isMinor = searchParams.get('refused') === 'age'
  return {
    provider: context.config.google,
    pending: await pendingCode('signup', request, context.now()),
    started: proof !== null,
    refused: isMinor ? INVALID_DOB : sentenceOf(GOOGLE_SIGN_UP_WORDS, searchParams.get('google')),
  }
}

/** With another address than the one that waits for its code, or that has an account already, whose proof is `over`. */
async function beginAnew(over: boolean): Promise<Response> {
  const headers = new Headers({ 'Set-Cookie': await forgetPendingCode('signup') })
  if (over) headers.append('Set-Cookie', await noProofCookie())
  return redirect('/signup', { headers })
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireAnonymous(context, request)
  const pending = await pendingCode('signup', request, context.now())
  const { reply, headers } = await signUpAction(context, await receiveFields(context, request), pending)
  return data(reply, { status: reply.status, ...(headers && { headers }) })
}

export const clientAction = sendForm({ byIntent: SIGNUP_UNANSWERED })

/** The verified message is shown for a moment before the page redirects. */
export const shouldRevalidate = () => false

export default function SignUp() {
  const { provider, pending, started, refused } = useLoaderData<typeof loader>()
  const reply = useReply(useActionData<typeof action>())
  const stage = stageOf(reply, pending)
  const navigate = useNavigate()
  const goOn = useCallback(() => navigate('/register', { replace: true }), [navigate])
  if (stage === 'verified') {
    return (
      <AuthFrame title="Sign up">
        <Verified onDone={goOn} />
      </AuthFrame>
    )
  }
  if (stage === 'code') {
    return (
      <AuthFrame title="Check your mail">
        <CodeForm reply={reply} pending={pending} />
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
      <EmailForm reply={reply} />
      {provider ? <ProviderForm words="Sign up with Google" from="signup" /> : null}
      <p className="soft">
        Already a member? <Link to="/login">Log in</Link>
      </p>
    </AuthFrame>
  )
}

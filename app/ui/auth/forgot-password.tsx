import { type Form, Link, useNavigation } from '@remix-run/react'
import { useEffect } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { type FormReply, type FormState, formOf } from '../../forms/reply.ts'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import { loginPath, withReturnTo } from '../../request/return-to.ts'
import { Button } from '../button.tsx'
import { Banner } from '../feedback/banner.tsx'
import { CODE_ISSUED, CodeInput, DoneMessage, LocalMailHint } from './auth-frame.tsx'

/** What the forgot-password action answers; the form is `request` or `reset`. */
export type ForgotReply = FormReply<{ message: string }>

/** The code of a reply to a link that works no more. */
export const DEAD_LINK = 'dead_link'

const CLOSE_AFTER_MS = 1500

type ForgotProps = {
  reply: ForgotReply | undefined
  /** The address that was typed elsewhere. */
  email?: string | undefined
  /** The page's form, or that of a fetcher inside a dialog. */
  form: typeof Form
  busy?: boolean
  /** Where the login leads after. */
  redirectTo: string
  /** The token of the mail's link, which stands for address and code. */
  link?: string | null
  /** The link also turns 2-step verification off. */
  undoes?: boolean
  /** Called a moment after the password was reset. */
  onDone: () => void
}
type StepProps = Pick<ForgotProps, 'form' | 'busy' | 'link' | 'undoes' | 'redirectTo'> & {
  state: FormState
  message?: string | undefined
}

function Request({ state, form: AnyForm, busy, redirectTo }: StepProps) {
  return (
    <AnyForm
      method="post"
      action={withReturnTo('/forgot-password', redirectTo)}
      className="stack"
      data-drafts="none"
      noValidate
    >
      <ErrorSummary form={state} />
      <p className="soft">We send a code to your e-mail address.</p>
      <TextInput label="E-mail" {...state.field('email')} type="email" autoComplete="email" />
      <Button name="intent" value="request" tone="primary" wide busy={busy === true}>
        Send code
      </Button>
    </AnyForm>
  )
}

function NewPassword({ state, message, form: AnyForm, busy, link, undoes, redirectTo }: StepProps) {
  return (
    <AnyForm
      method="post"
      action={withReturnTo('/forgot-password', redirectTo, link ? { link } : {})}
      className="stack"
      data-drafts="none"
      noValidate
    >
      <ErrorSummary form={state} />
      <DoneMessage message={message} />
      {undoes ? (
        <p>
          Set a new password for your account. This also turns 2-step verification off and ends every session, on every
          device.
        </p>
      ) : null}
      {link ? (
        <>
          <input type="hidden" name="link" value={link} />
          {undoes ? <input type="hidden" name="undoes" value="yes" /> : null}
        </>
      ) : (
        <>
          <LocalMailHint />
          <input type="hidden" name="email" value={state.values('email')[0] ?? ''} />
          <CodeInput {...state.field('code')} autoFocus={message !== undefined} />
        </>
      )}
      <PasswordInput label="New password" {...state.field('newPassword')} autoComplete="new-password" />
      <PasswordInput label="Confirm new password" {...state.field('confirm')} autoComplete="new-password" />
      <Button name="intent" value="reset" tone="primary" wide busy={busy === true}>
        {undoes ? 'Reset password and turn 2-step verification off' : 'Reset password'}
      </Button>
    </AnyForm>
  )
}

/** Leads to the first step, as if nothing was sent. */
function DeadLink({ state, redirectTo }: StepProps) {
  return (
    <div className="stack">
      <ErrorSummary form={state} />
      <p>
        <Link to={withReturnTo('/forgot-password', redirectTo)} reloadDocument>
          Send me a new code
        </Link>
      </p>
    </div>
  )
}

function stageOf({ reply, link }: ForgotProps): 'request' | 'verify' | 'dead' | 'success' {
  if (reply?.code === DEAD_LINK) return 'dead'
  if (reply?.form === 'reset') return reply.done ? 'success' : 'verify'
  return link || reply?.done || reply?.code === CODE_ISSUED ? 'verify' : 'request'
}

/** Two steps: ask for a code, then choose a new password with it (spec 1 §2 and §4). */
export function ForgotPassword(props: ForgotProps) {
  const { reply, email, form, link, undoes = false, redirectTo, onDone } = props
  const navigation = useNavigation()
  const stage = stageOf(props)
  useEffect(() => {
    if (stage !== 'success') return
    const timer = setTimeout(onDone, CLOSE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [stage, onDone])
  const busy = props.busy ?? navigation.state === 'submitting'
  const state = formOf({ reply, defaults: { email }, prefix: 'forgot-' })
  const message = reply?.done?.message
  const step = { state, form, busy, redirectTo }
  if (stage === 'request') return <Request {...step} />
  if (stage === 'dead') return <DeadLink {...step} />
  if (stage === 'verify') return <NewPassword {...step} message={message} link={link ?? null} undoes={undoes} />
  return (
    <div className="stack">
      <Banner tone="leaf" live>
        <p>{message}</p>
      </Banner>
      <p>
        <Link to={loginPath(redirectTo)}>Go to login</Link>
      </p>
    </div>
  )
}

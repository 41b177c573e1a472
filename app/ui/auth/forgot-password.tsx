import { type Form, Link, useNavigation } from '@remix-run/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { type FormReply, type FormState, formOf } from '../../forms/reply.ts'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import type { PendingCode } from '../../request/pending-code.server.ts'
import { loginPath, withReturnTo } from '../../request/return-to.ts'
import { Button } from '../button.tsx'
import { Banner } from '../feedback/banner.tsx'
import { useFocusInPlace } from '../feedback/use-focus-in-place.ts'
import type { AfterReset } from './after-reset.ts'
import { CodeInput, DoneMessage, LocalMailHint } from './auth-frame.tsx'
import { type CodeSent, hasCode, ResendCode, sentTo, useCodeFocus, useCodeWait } from './resend-code.tsx'

/** What the forgot-password action answers; the form is `request` or `reset`. */
export type ForgotReply = FormReply<CodeSent>

/** The code of a reply to a link that works no more. */
export const DEAD_LINK = 'dead_link'

const CLOSE_AFTER_MS = 1500

type ForgotProps = {
  reply: ForgotReply | undefined
  /** The address that was typed elsewhere. */
  email?: string | undefined
  /** The code that this browser waits for, asked for before this page was loaded. */
  pending: PendingCode | null
  passwordMin: number
  /** The page's form, or that of a fetcher inside a dialog. */
  form: typeof Form
  /** The intent of that fetcher's form while it is under way. */
  intent?: string | undefined
  /** Where the login leads after. */
  redirectTo: string
  /** Where the address is asked for anew. */
  otherTo: string
  /** The token of the mail's link, which stands for address and code. */
  link?: string | null
  /** The link also turns 2-step verification off. */
  undoes?: boolean
  /** Called a moment after the password was reset, with what the login shows of it. */
  onDone: (after: AfterReset) => void
}
type StepProps = ForgotProps & { state: FormState }

function Request({ state, form: AnyForm, intent, redirectTo }: StepProps) {
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
      <Button name="intent" value="request" tone="primary" size="l" wide busy={intent === 'request'}>
        Send code
      </Button>
    </AnyForm>
  )
}

/** Of a code that was mailed. */
function CodeStep(props: StepProps) {
  const { state, reply, pending, form, intent, redirectTo, otherTo } = props
  const email = state.values('email')[0] ?? ''
  const wait = useCodeWait(reply, pending, 'request')
  const whole = useRef<HTMLDivElement>(null)
  useCodeFocus(whole, reply, wait)
  return (
    <div className="stack" ref={whole}>
      <NewPassword {...props}>
        <LocalMailHint />
        <input type="hidden" name="email" value={email} />
        <CodeInput {...state.field('code')} help={sentTo(email)} />
      </NewPassword>
      <ResendCode
        email={email}
        wait={wait}
        form={form}
        action={withReturnTo('/forgot-password', redirectTo)}
        asks="request"
        busy={intent === 'request'}
        otherTo={otherTo}
      />
    </div>
  )
}

/** Of the link of a mail, which stands for the code. */
function LinkStep(props: StepProps) {
  const { link, undoes } = props
  return (
    <NewPassword {...props}>
      {undoes ? (
        <p>
          Set a new password for your account. This also turns 2-step verification off and ends every session, on every
          device.
        </p>
      ) : null}
      <input type="hidden" name="link" value={link ?? ''} />
      {undoes ? <input type="hidden" name="undoes" value="yes" /> : null}
    </NewPassword>
  )
}

function NewPassword({
  state,
  reply,
  form: AnyForm,
  intent,
  link,
  undoes,
  redirectTo,
  passwordMin,
  children,
}: StepProps & { children: ReactNode }) {
  return (
    <AnyForm
      method="post"
      action={withReturnTo('/forgot-password', redirectTo, link ? { link } : {})}
      className="stack"
      data-drafts="none"
      noValidate
    >
      <ErrorSummary form={state} />
      <DoneMessage message={reply?.done?.message} />
      {children}
      <PasswordInput
        label="New password"
        {...state.field('newPassword')}
        autoComplete="new-password"
        help={`At least ${passwordMin} characters.`}
      />
      <PasswordInput label="Confirm new password" {...state.field('confirm')} autoComplete="new-password" />
      <Button name="intent" value="reset" tone="primary" size="l" wide busy={intent === 'reset'}>
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

type Stage = 'request' | 'code' | 'link' | 'dead' | 'success'

function stageOf({ reply, link, pending }: ForgotProps): Stage {
  if (reply?.code === DEAD_LINK) return 'dead'
  if (reply?.form === 'reset' && reply.done) return 'success'
  if (link) return 'link'
  if (reply?.form === 'reset') return 'code'
  if (reply?.form === 'request') return hasCode(reply) ? 'code' : 'request'
  return pending ? 'code' : 'request'
}

const STEPS = { request: Request, code: CodeStep, link: LinkStep, dead: DeadLink, success: Success } as const

function useIntent(): string | undefined {
  return useNavigation().formData?.get('intent')?.toString()
}

/** Two steps: ask for a code, then choose a new password with it (spec 1 §2 and §4). */
export function ForgotPassword(props: ForgotProps) {
  const { reply, email, onDone } = props
  // Somebody else's address may be typed since.
  const pending = email && email !== props.pending?.email ? null : props.pending
  const stage = stageOf({ ...props, pending })
  const own = useIntent()
  useEffect(() => {
    if (stage !== 'success' || !reply?.done) return
    const after = { email: reply.values.email?.[0] ?? '', reset: reply.done.message ?? '' }
    const timer = setTimeout(() => onDone(after), CLOSE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [stage, onDone, reply])
  const state = formOf({ reply, defaults: { email: pending?.email ?? email }, prefix: 'forgot-' })
  const Step = STEPS[stage]
  return <Step {...props} pending={pending} state={state} intent={props.intent ?? own} />
}

function Success({ reply, redirectTo }: StepProps) {
  // The form that had the focus is gone.
  useFocusInPlace('#forgot-done')
  return (
    <div className="stack">
      <Banner tone="leaf" live>
        <p id="forgot-done">{reply?.done?.message}</p>
      </Banner>
      <p>
        <Link to={loginPath(redirectTo)}>Go to login</Link>
      </p>
    </div>
  )
}

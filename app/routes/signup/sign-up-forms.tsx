import { Form, Link, useNavigation } from '@remix-run/react'
import { useEffect } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { type FormReply, formOf } from '../../forms/reply.ts'
import { TextInput } from '../../forms/text-input.tsx'
import { CodeInput, DoneMessage, LocalMailHint } from '../../ui/auth/auth-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { useCountdown } from './use-countdown.ts'

/** What the sign-up action answers; the form is `send` or `verify`. */
export type SignUpReply = FormReply<{
  message?: string
  /** Changes with every code that was sent. */
  sentAt?: string
}>
type Props = { reply: SignUpReply | undefined }

/** A code that is already on its way can be typed too. */
export function stageOf(reply: SignUpReply | undefined): 'email' | 'code' | 'verified' {
  if (reply?.form === 'verify') return reply.done ? 'verified' : 'code'
  return reply?.form === 'send' && (reply.done || reply.retryInMs !== undefined) ? 'code' : 'email'
}

const RESEND_MS = 60_000

function useIntent(): string | null {
  return String(useNavigation().formData?.get('intent') ?? '') || null
}

export function EmailForm({ reply }: Props) {
  const form = formOf({ reply })
  return (
    <Form method="post" className="stack" noValidate>
      <ErrorSummary form={form} />
      <TextInput
        label="E-mail"
        {...form.field('email')}
        type="email"
        autoComplete="email"
        help="We send you a code to confirm it."
      />
      <Button name="intent" value="send" tone="primary" size="l" wide busy={useIntent() === 'send'}>
        Send code
      </Button>
    </Form>
  )
}

function Resend({ reply, email }: Props & { email: string }) {
  const left = useCountdown(reply?.retryInMs ?? RESEND_MS, reply?.done?.sentAt ?? reply?.retryInMs)
  return (
    <Form method="post" className="row spread">
      <input type="hidden" name="email" value={email} />
      <Button name="intent" value="send" tone="quiet" disabled={left > 0} busy={useIntent() === 'send'}>
        {left > 0 ? `Resend code in ${left} s` : 'Resend code'}
      </Button>
      <Link to="/signup" className="thumb" reloadDocument>
        Use another e-mail
      </Link>
    </Form>
  )
}

export function CodeForm({ reply }: Props) {
  const hydrated = useHydrated()
  const form = formOf({ reply })
  const email = form.values('email')[0] ?? ''
  return (
    <div className="stack">
      <Form method="post" className="stack" noValidate>
        <ErrorSummary form={form} />
        <DoneMessage message={reply?.done?.message} />
        <LocalMailHint />
        <input type="hidden" name="email" value={email} />
        {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
        <CodeInput {...form.field('code')} help={`Sent to ${email.trim()}. It works for 10 minutes.`} />
        <Button name="intent" value="verify" tone="primary" size="l" wide busy={useIntent() === 'verify'}>
          Verify
        </Button>
      </Form>
      <Resend reply={reply} email={email} />
    </div>
  )
}

const REDIRECT_AFTER_MS = 800

/** Shows the success for a moment, then the wizard opens (spec 2 §9). */
export function Verified({ onDone }: { onDone: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onDone, REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [onDone])
  return (
    <Banner tone="leaf" live>
      <p>Email verified successfully! Redirecting...</p>
    </Banner>
  )
}

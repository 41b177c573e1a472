import { Form, Link, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { errorIn, type FormReply, formOf } from '../../forms/reply.ts'
import { TextInput } from '../../forms/text-input.tsx'
import { CODE_ISSUED, CodeInput, DoneMessage, LocalMailHint } from '../../ui/auth/auth-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { PendingCode } from './pending-code.server.ts'
import { useCountdown } from './use-countdown.ts'

/** What the sign-up action answers; the form is `send` or `verify`. */
export type SignUpReply = FormReply<{
  message?: string
  /** Changes with every code that was sent. */
  sentAt?: string
}>
type Props = { reply: SignUpReply | undefined }

type CodeProps = Props & { pending: PendingCode | null }

/** A code that was asked for before can be typed too; `pending` is one of before this page was loaded. */
export function stageOf(reply: SignUpReply | undefined, pending: PendingCode | null): 'email' | 'code' | 'verified' {
  if (reply?.form === 'verify') return reply.done ? 'verified' : 'code'
  if (reply?.form === 'send') return hasCode(reply) ? 'code' : 'email'
  return pending ? 'code' : 'email'
}

const hasCode = (reply: SignUpReply) => reply.done !== undefined || reply.code === CODE_ISSUED

const RESEND_MS = 60_000

function useIntent(): string | null {
  return String(useNavigation().formData?.get('intent') ?? '') || null
}

export function EmailForm({ reply }: Props) {
  const form = formOf({ reply })
  return (
    <Form method="post" className="stack" data-drafts="none" noValidate>
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

/** Since when a new code has to wait, and how long: a code that was typed changes nothing of it. */
function useWait({ reply, pending }: CodeProps) {
  const wait = useRef({ ms: pending?.resendInMs ?? RESEND_MS, since: '' })
  if (reply?.form === 'send' && hasCode(reply))
    wait.current = { ms: reply.retryInMs ?? RESEND_MS, since: reply.done?.sentAt ?? String(reply.retryInMs) }
  return wait.current
}

function Resend({ email, wait }: { email: string; wait: ReturnType<typeof useWait> }) {
  const left = useCountdown(wait.ms, wait.since)
  return (
    <Form method="post" className="row spread auth-again">
      <input type="hidden" name="email" value={email} />
      <Button name="intent" value="send" tone="quiet" disabled={left > 0} busy={useIntent() === 'send'}>
        {left > 0 ? `Resend code in ${left} s` : 'Resend code'}
      </Button>
      <Link to="/signup?other" className="thumb" reloadDocument>
        Use another e-mail
      </Link>
    </Form>
  )
}

export function CodeForm({ reply, pending }: CodeProps) {
  const hydrated = useHydrated()
  const form = formOf({ reply, defaults: pending ? { email: pending.email } : {} })
  const email = form.values('email')[0] ?? ''
  const wait = useWait({ reply, pending })
  const whole = useRef<HTMLDivElement>(null)
  // Also after another code was sent, whose button waits then and cannot keep the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each code that is sent is typed next
  useEffect(() => {
    if (!errorIn(reply)) whole.current?.querySelector<HTMLInputElement>('[name=code]')?.focus()
  }, [wait.since])
  return (
    <div className="stack" ref={whole}>
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
      <Resend email={email} wait={wait} />
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

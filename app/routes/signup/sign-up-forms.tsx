import { Form, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { type FormReply, formOf } from '../../forms/reply.ts'
import { TextInput } from '../../forms/text-input.tsx'
import type { PendingCode } from '../../request/pending-code.server.ts'
import { CodeInput, DoneMessage, LocalMailHint } from '../../ui/auth/auth-frame.tsx'
import { type CodeSent, hasCode, ResendCode, sentTo, useCodeFocus, useCodeWait } from '../../ui/auth/resend-code.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'

/** What the sign-up action answers; the form is `send` or `verify`. */
export type SignUpReply = FormReply<CodeSent>
type Props = { reply: SignUpReply | undefined }

type CodeProps = Props & { pending: PendingCode | null }

/** A code that was asked for before can be typed too; `pending` is one of before this page was loaded. */
export function stageOf(reply: SignUpReply | undefined, pending: PendingCode | null): 'email' | 'code' | 'verified' {
  if (reply?.form === 'verify') return reply.done ? 'verified' : 'code'
  if (reply?.form === 'send') return hasCode(reply) ? 'code' : 'email'
  return pending ? 'code' : 'email'
}

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

export function CodeForm({ reply, pending }: CodeProps) {
  const hydrated = useHydrated()
  const intent = useIntent()
  const form = formOf({ reply, defaults: pending ? { email: pending.email } : {} })
  const email = form.values('email')[0] ?? ''
  const wait = useCodeWait(reply, pending, 'send')
  const whole = useRef<HTMLDivElement>(null)
  useCodeFocus(whole, reply, wait)
  return (
    <div className="stack" ref={whole}>
      <Form method="post" className="stack" noValidate>
        <ErrorSummary form={form} />
        <DoneMessage message={reply?.done?.message} />
        <LocalMailHint />
        <input type="hidden" name="email" value={email} />
        {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
        <CodeInput {...form.field('code')} help={sentTo(email)} />
        <Button name="intent" value="verify" tone="primary" size="l" wide busy={intent === 'verify'}>
          Verify
        </Button>
      </Form>
      <ResendCode email={email} wait={wait} form={Form} asks="send" busy={intent === 'send'} otherTo="/signup?other" />
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

import { Form, Link, useNavigation } from '@remix-run/react'
import { useEffect } from 'react'
import type { Fields } from '../../../usecases/answer.ts'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import { CodeInput, LocalMailHint, Said } from '../../ui/auth/auth-frame.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { useCountdown } from './use-countdown.ts'

/** What the sign-up action says. */
export type SignUpData = {
  stage: 'email' | 'code' | 'verified'
  email: string
  message?: string
  fields?: Fields
  /** How long until another code can be asked for. */
  resendInMs?: number
  /** Changes with every code that was sent. */
  sentAt?: string
}

const RESEND_MS = 60_000

function useIntent(): string | null {
  return String(useNavigation().formData?.get('intent') ?? '') || null
}

export function EmailForm({ said }: { said: SignUpData }) {
  return (
    <Form method="post" className="stack" noValidate>
      <ErrorSummary errors={said.fields} />
      <TextInput
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={said.email}
        error={said.fields?.email}
        help="We send you a code to confirm it."
      />
      <Button name="intent" value="send" tone="primary" size="l" wide busy={useIntent() === 'send'}>
        Send code
      </Button>
    </Form>
  )
}

function Resend({ said }: { said: SignUpData }) {
  const left = useCountdown(said.resendInMs ?? RESEND_MS, said.sentAt)
  return (
    <Form method="post" className="row spread">
      <input type="hidden" name="email" value={said.email} />
      <Button name="intent" value="send" tone="quiet" disabled={left > 0} busy={useIntent() === 'send'}>
        {left > 0 ? `Resend code in ${left} s` : 'Resend code'}
      </Button>
      <Link to="/signup" className="thumb" reloadDocument>
        Use another e-mail
      </Link>
    </Form>
  )
}

export function CodeForm({ said }: { said: SignUpData }) {
  const hydrated = useHydrated()
  return (
    <div className="stack">
      <Form method="post" className="stack" noValidate>
        <ErrorSummary errors={said.fields} />
        <Said message={said.message} />
        <LocalMailHint />
        <input type="hidden" name="email" value={said.email} />
        {hydrated ? <input type="hidden" name="script" value="yes" /> : null}
        <CodeInput error={said.fields?.code} help={`Sent to ${said.email}. It works for 10 minutes.`} />
        <Button name="intent" value="verify" tone="primary" size="l" wide busy={useIntent() === 'verify'}>
          Verify
        </Button>
      </Form>
      <Resend said={said} />
    </div>
  )
}

const REDIRECT_AFTER_MS = 800

/** Says so for a moment, then the wizard opens (spec 2 §9). */
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

import { type Form, Link } from '@remix-run/react'
import { type RefObject, useEffect, useRef } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import type { PendingCode } from '../../request/pending-code.server.ts'
import { Button } from '../button.tsx'
import { CODE_ISSUED } from './auth-frame.tsx'
import { useCountdown } from './use-countdown.ts'

/** What a form that asks for a code comes to; `sentAt` changes with every code that was sent. */
export type CodeSent = { message?: string; sentAt?: string }
type Reply = FormReply<CodeSent> | undefined
/** Since when a new code has to wait, and how long. */
type Wait = { readonly ms: number; readonly since: string }

const RESEND_MS = 60_000

/** Whether a code can be typed: it was sent, or another one is on its way. */
export const hasCode = (reply: FormReply) => reply.done !== undefined || reply.code === CODE_ISSUED

/** `asks`: the intent that asks for a code. A code that was typed changes nothing of the wait. */
export function useCodeWait(reply: Reply, pending: PendingCode | null, asks: string): Wait {
  const wait = useRef<Wait>({ ms: pending?.resendInMs ?? RESEND_MS, since: '' })
  if (reply?.form === asks && hasCode(reply))
    wait.current = { ms: reply.retryInMs ?? RESEND_MS, since: reply.done?.sentAt ?? String(reply.retryInMs) }
  return wait.current
}

/** Each code that is sent is typed next: also after another one, whose button waits then and cannot keep the focus. */
export function useCodeFocus(around: RefObject<HTMLElement>, reply: Reply, { since }: Wait): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each code
  useEffect(() => {
    if (!errorIn(reply)) around.current?.querySelector<HTMLInputElement>('[name=code]')?.focus()
  }, [since])
}

/** Where a code went, under its field. */
export const sentTo = (email: string) => `Sent to ${email.trim()}. It works for 10 minutes.`

type ResendProps = {
  email: string
  wait: Wait
  form: typeof Form
  action?: string
  /** The intent that asks for a code. */
  asks: string
  busy: boolean
  /** Where the address is asked for anew. */
  otherTo: string
}

/** Beside the field of a code: to ask for another one, after a minute (ruling R14), or for one to another address. */
export function ResendCode({ email, wait, form: AnyForm, action, asks, busy, otherTo }: ResendProps) {
  const left = useCountdown(wait.ms, wait.since)
  return (
    <AnyForm method="post" {...(action && { action })} className="row spread auth-again">
      <input type="hidden" name="email" value={email} />
      <Button name="intent" value={asks} tone="quiet" disabled={left > 0} busy={busy}>
        {left > 0 ? `Resend code in ${left} s` : 'Resend code'}
      </Button>
      <Link to={otherTo} className="thumb" reloadDocument>
        Use another e-mail
      </Link>
    </AnyForm>
  )
}

import { Link } from '@remix-run/react'
import type { ComponentProps, ReactNode } from 'react'
import { TextInput } from '../../forms/text-input.tsx'
import { useRoot } from '../../shell/use-shell.ts'
import { Banner } from '../feedback/banner.tsx'
import { Logo } from '../picture/logo.tsx'
import './auth-frame.css'

/** The narrow page of signing up and in. */
export function AuthFrame({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <div className="column column-narrow stack stack-l">
      <header className="stack">
        <Link to="/" className="home-link" aria-label="LetsBuzz, start page">
          <Logo />
        </Link>
        <h1>{title}</h1>
        {lead ? <p className="soft">{lead}</p> : null}
      </header>
      {children}
    </div>
  )
}

/** Where mail goes in a local copy of the product, which sends none. */
export function LocalMailHint() {
  if (useRoot()?.mode !== 'local') return null
  return (
    <Banner>
      <p className="small">
        This copy runs on your machine and keeps its mail:{' '}
        <a href="/dev/mailbox" target="_blank" rel="noreferrer">
          open the mailbox
        </a>
        .
      </p>
    </Banner>
  )
}

type ProviderProps = { words: string; from: 'login' | 'signup'; redirectTo?: string }

/** Signing in with the provider, where one is set up. */
export function ProviderForm({ words, from, redirectTo }: ProviderProps) {
  return (
    <form method="post" action="/auth/google" className="stack">
      <input type="hidden" name="from" value={from} />
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
      <p className="or" aria-hidden="true">
        <span>or</span>
      </p>
      <button type="submit" className="button button-secondary button-wide">
        <span>{words}</span>
      </button>
    </form>
  )
}

/** What the last step of a form came to, when it has a message. */
export function DoneMessage({ message }: { message?: string | undefined }) {
  if (!message) return null
  return (
    <Banner tone="leaf" live>
      <p>{message}</p>
    </Banner>
  )
}

/** The code of a reply that sends no other code to whoever can still type the last one. */
export const CODE_ISSUED = 'code_issued'

/** The code of a mail or an app; the phone's keyboard offers it. */
export function CodeInput(field: Omit<ComponentProps<typeof TextInput>, 'label' | 'type'>) {
  return <TextInput {...field} label="6-digit code" inputMode="numeric" autoComplete="one-time-code" />
}

/** What may be given in place of the app's code. */
export function RecoveryCodeInput(field: Omit<ComponentProps<typeof TextInput>, 'label' | 'type'>) {
  return <TextInput {...field} label="Recovery code" autoComplete="off" autoCapitalize="none" spellCheck={false} />
}

/** Either, beside the password of somebody who is signed in. */
export function SecondFactorInput(field: Omit<ComponentProps<typeof TextInput>, 'label' | 'type' | 'help'>) {
  return (
    <TextInput
      {...field}
      label="Code"
      help="Of your authenticator app, or a recovery code."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}

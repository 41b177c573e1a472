import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { STEPS, type StepName, stepNumber } from '../../../domain/identity/sign-up-steps.ts'
import { Logo } from '../../ui/logo.tsx'
import { Steps } from '../../ui/steps.tsx'

/** The page around every step: where one is, and what is next. */
export function WizardFrame({ step, children }: { step: StepName; children: ReactNode }) {
  const number = stepNumber(step)
  return (
    <div className="column column-form stack stack-l">
      <header className="stack">
        <Link to="/" className="home-link" aria-label="LetsBuzz, start page">
          <Logo />
        </Link>
        <Steps names={STEPS.map((one) => one.short)} current={number} />
        <h1>{STEPS[number - 1]?.title}</h1>
      </header>
      {children}
    </div>
  )
}

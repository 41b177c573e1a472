import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { STEPS, type StepName, stepNumber } from '../../../domain/identity/sign-up-steps.ts'
import { Logo } from '../../ui/picture/logo.tsx'
import { Steps } from '../../ui/steps.tsx'
import { STEP_WORDS } from './steps.ts'

/** The page around every step: where one is, and what is next. */
export function WizardFrame({ step, children }: { step: StepName; children: ReactNode }) {
  return (
    <div className="column column-form stack stack-l">
      <header className="stack">
        <Link to="/" className="home-link" aria-label="LetsBuzz, start page">
          <Logo />
        </Link>
        <Steps names={STEPS.map((one) => STEP_WORDS[one].short)} current={stepNumber(step)} />
        <h1>{STEP_WORDS[step].title}</h1>
      </header>
      {children}
    </div>
  )
}

import { Form, useNavigation } from '@remix-run/react'
import type { FocusEvent, FormEvent, ReactNode } from 'react'
import { type StepName, stepNumber, stepPath } from '../../../domain/identity/sign-up-steps.ts'
import type { Fields } from '../../../usecases/answer.ts'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { Button } from '../../ui/button.tsx'
import { useKeptDraft } from './use-kept-draft.ts'
import './step-form.css'

/** What the page hands to every step. */
export type StepProps = {
  /** What the visitor typed before, by field name. */
  values: Readonly<Record<string, readonly string[]>>
  errors: Fields
}

export const one = (values: StepProps['values'], name: string): string => values[name]?.[0] ?? ''
export const many = (values: StepProps['values'], name: string): readonly string[] => values[name] ?? []

type StepFormProps = {
  step: StepName
  errors: Fields
  multipart?: boolean
  /** What the button that goes on says. */
  goOn?: string
  /** Something is still being sent. */
  waiting?: boolean
  handlers?: {
    onSubmit: (event: FormEvent<HTMLFormElement>) => void
    onChange: (event: FormEvent<HTMLElement>) => void
    onBlur: (event: FocusEvent<HTMLElement>) => void
  }
  children: ReactNode
}

/** One step: its errors, its fields, and the ways on and back. Back keeps what was typed, finished or not. */
export function StepForm({ step, errors, multipart, goOn = 'Continue', waiting, handlers, children }: StepFormProps) {
  const navigation = useNavigation()
  const going = navigation.formData?.get('go')
  const form = useKeptDraft(step)
  return (
    <Form
      ref={form}
      method="post"
      action={stepPath(step)}
      encType={multipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded'}
      className="stack stack-l"
      noValidate
      {...handlers}
    >
      {/* Enter in a field presses the first button of a form: on, not back. */}
      <button type="submit" name="go" value="on" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      <ErrorSummary errors={errors} />
      {children}
      <div className="wizard-ways">
        {stepNumber(step) > 1 ? (
          <Button name="go" value="back" icon="arrow-left" busy={going === 'back'} formNoValidate>
            Back
          </Button>
        ) : null}
        <span className="spring" />
        <Button name="go" value="on" tone="primary" size="l" busy={going === 'on'} disabled={waiting === true}>
          {goOn}
        </Button>
      </div>
    </Form>
  )
}

import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import type { FocusEvent, FormEvent, ReactNode } from 'react'
import { type StepName, stepNumber } from '../../../domain/identity/sign-up-steps.ts'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import type { FormState } from '../../forms/reply.ts'
import { Button } from '../../ui/button.tsx'
import { stepPath } from './steps.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import './step-form.css'

/** What the page hands to every step: what the visitor typed, and what is wrong with it. */
export type StepProps = { form: FormState }

type StepFormProps = StepProps & {
  step: StepName
  multipart?: boolean
  /** The text of the button that goes on. */
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
export function StepForm({ step, form, multipart, goOn = 'Continue', waiting, handlers, children }: StepFormProps) {
  const navigation = useNavigation()
  const going = navigation.formData?.get('go')
  const kept = useKeptDraft(step)
  const { as } = useLoaderData<{ as: string }>()
  return (
    <Form
      ref={kept}
      method="post"
      action={stepPath(step)}
      encType={multipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded'}
      className="stack stack-l"
      data-drafts="none"
      noValidate
      {...handlers}
    >
      {/* Enter in a field presses the first button of a form: on, not back. */}
      <button type="submit" name="go" value="on" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      {/* As `Owner` of the pages of members. */}
      <input type="hidden" name={`as-${as}`} disabled />
      <input type="hidden" name="as" value={as} />
      <ErrorSummary form={form} />
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

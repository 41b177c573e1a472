import { Form, type FormProps, useLocation } from '@remix-run/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button, LinkButton } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Steps } from '../steps.tsx'
import './stepper-dialog.css'

type StepperDialogProps = {
  title: string
  /** The page without the dialog. */
  closeTo: string
  steps: readonly { name: string; to: string }[]
  /** Counted from 1. */
  current: number
  /** Where this step goes; its answer leads to the next. */
  form: Pick<FormProps, 'method' | 'action' | 'onSubmit'>
  /** Default: Continue, or Done on the last. */
  next?: string
  children: ReactNode
}

/**
 * Several short steps in one dialog. Each has an address, so Back is a link and it works without script; the way on sends
 * the form of the step, whose answer leads to the next. A step that comes has the focus on its heading.
 */
export function StepperDialog({ title, closeTo, steps, current, form, next, children }: StepperDialogProps) {
  const { state } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(current)
  useEffect(() => {
    if (shown.current === current) return
    shown.current = current
    heading.current?.focus()
  }, [current])
  const before = steps[current - 2]
  return (
    <Dialog title={title} closeTo={closeTo} look="sheet">
      <Steps names={steps.map(({ name }) => name)} current={current} />
      <h3 ref={heading} tabIndex={-1} className="stepper-name">
        {steps[current - 1]?.name}
      </h3>
      <Form key={current} className="stack stepper-body" state={state} preventScrollReset replace {...form}>
        {children}
        <footer className="stepper-foot">
          {before ? (
            <LinkButton to={before.to} tone="quiet" state={state} preventScrollReset replace>
              Back
            </LinkButton>
          ) : null}
          <Button tone="primary">{next ?? (current === steps.length ? 'Done' : 'Continue')}</Button>
        </footer>
      </Form>
    </Dialog>
  )
}

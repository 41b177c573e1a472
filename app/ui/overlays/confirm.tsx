import { Form, type FormProps } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Owner } from '../../shell/owner.tsx'
import { Button, LinkButton } from '../button.tsx'
import { Dialog } from '../dialog.tsx'

type ConfirmProps = Pick<FormProps, 'onSubmit' | 'replace' | 'preventScrollReset'> & {
  /** The question, or what it is about. */
  title: string
  /** The page without it, where Cancel leads. */
  closeTo: string
  /** Where the answer is sent; to `closeTo` unless it is given. */
  action?: string
  /** What the form sends beside the intent. */
  fields: Readonly<Record<string, string>>
  intent: string
  /** The word on the button that does it. */
  verb: string
  busy?: boolean
  children: ReactNode
}

/** Asks before something that cannot be taken back is done. An address opens it, so that it works without script. */
export function Confirm({ title, closeTo, action, fields, intent, verb, busy, children, ...form }: ConfirmProps) {
  return (
    <Dialog title={title} closeTo={closeTo}>
      {children}
      <Form method="post" action={action ?? closeTo} className="stack stack-s" {...form}>
        <Owner />
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button name="intent" value={intent} tone="danger" wide busy={busy ?? false}>
          {verb}
        </Button>
        <LinkButton to={closeTo} wide preventScrollReset replace>
          Cancel
        </LinkButton>
      </Form>
    </Dialog>
  )
}

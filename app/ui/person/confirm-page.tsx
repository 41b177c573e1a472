import { Form, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Owner } from '../../shell/owner.tsx'
import { Button, LinkButton } from '../button.tsx'
import { CellIcon } from '../card.tsx'
import { ConfirmPoints } from '../confirm-points.tsx'
import type { IconName } from '../picture/icon-names.ts'
import { ActionBar } from './action-bar.tsx'
import { Refused } from './buzz-form.tsx'
import './confirm-page.css'

type ConfirmProps = {
  icon: IconName
  title: string
  /** What happens, one sentence each. */
  points: readonly string[]
  confirm: string
  /** Where "Cancel" leads. */
  back: string
  commandId: string
  error?: string | null
  children?: ReactNode
}

/** A page that asks before something that hurts; it works without script. */
export function ConfirmPage({ icon, title, points, confirm, back, commandId, error, children }: ConfirmProps) {
  const busy = useNavigation().state !== 'idle'
  return (
    <div className="column column-narrow stack">
      <ActionBar title={title} back={back} />
      <section className="card stack confirm">
        <CellIcon name={icon} className="confirm-icon" />
        <ConfirmPoints>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ConfirmPoints>
        {error ? <Refused error={error} /> : null}
        <Form method="post" className="stack stack-s">
          <Owner />
          <input type="hidden" name="commandId" value={commandId} />
          {children}
          <Button name="intent" value="confirm" tone="danger" wide busy={busy}>
            {confirm}
          </Button>
          <LinkButton to={back} wide>
            Cancel
          </LinkButton>
        </Form>
      </section>
    </div>
  )
}

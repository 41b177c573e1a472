import { Form } from '@remix-run/react'
import { Owner } from '../../shell/owner.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { ActionBar } from '../../ui/person/action-bar.tsx'
import { Refused } from '../../ui/person/buzz-form.tsx'
import { BLOCKED_PEOPLE, UNBLOCK } from './unblock-form.ts'

type BlockedProps = {
  who: string
  commandId: string
  /** Why the last try came to nothing. */
  error: string | null
  /** Where an unblock leads, as the form that was refused had it. */
  back: string | undefined
}

/** The page of a member whom one has blocked. */
export function Blocked({ who, commandId, error, back }: BlockedProps) {
  return (
    <div className="column stack">
      <ActionBar title="Block" back={back ?? BLOCKED_PEOPLE} />
      {error ? <Refused error={error} /> : null}
      <EmptyState
        icon="ban"
        title={`You blocked ${who}`}
        action={
          <Form method="post">
            <Owner />
            <input type="hidden" name="commandId" value={commandId} />
            {back ? <input type="hidden" name="back" value={back} /> : null}
            <Button name="intent" value={UNBLOCK} tone="primary">
              Unblock
            </Button>
          </Form>
        }
      >
        <p>Unblocking does not bring back a match.</p>
      </EmptyState>
    </div>
  )
}

/** What an unblock comes to where there is no block: another tab or device lifted it. */
export function NotBlocked({ who, back }: { who: string; back: string }) {
  return (
    <div className="column stack" role="status">
      <ActionBar title="Unblock" back={back} />
      <EmptyState
        icon="circle-check"
        title={`${who} is not blocked`}
        action={
          <LinkButton to={back} tone="primary" icon="arrow-left">
            Back
          </LinkButton>
        }
      >
        <p>You may have unblocked them in another tab or on another device.</p>
      </EmptyState>
    </div>
  )
}

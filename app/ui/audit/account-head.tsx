import { Form } from '@remix-run/react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { type FormReply, formOf } from '../../forms/reply.ts'
import { TextInput } from '../../forms/text-input.tsx'
import { Owner } from '../../shell/owner.tsx'
import { Button, LinkButton } from '../button.tsx'
import { Banner } from '../feedback/banner.tsx'
import { Icon } from '../picture/icon.tsx'
import { Tabs } from '../tabs.tsx'
import type { AccountHead } from './account-page.server.ts'
import { Id } from './shown-value.tsx'
import { stampOf } from './words.ts'
import './account-head.css'

type Part = 'timeline' | 'state' | 'rows'

/** Whose account it is, the sections of the audit, and the form that opens sealed fields. */
export function AuditHead({ head, part, reply }: { head: AccountHead; part: Part; reply: FormReply | undefined }) {
  const { account } = head
  const { member, erasedAt } = account
  const tab = (of: Part, label: string) => ({
    to: `/audit/${member}${of === 'timeline' ? '' : `/${of}`}`,
    label,
    current: of === part,
  })
  return (
    <>
      <header className="stack stack-s">
        <div className="row spread">
          <h1 className="staff-title">Account</h1>
          <LinkButton to="/audit" icon="search" tone="quiet">
            Find another
          </LinkButton>
        </div>
        <p>
          <Id id={member} />
        </p>
      </header>
      {erasedAt ? (
        <Banner title={`Erased on ${stampOf(erasedAt)}`}>
          <p>Their key is destroyed: that something happened can be read, their words cannot.</p>
        </Banner>
      ) : null}
      <Tabs
        label="Parts of the audit"
        tabs={[tab('timeline', 'Timeline'), tab('state', 'State'), tab('rows', 'Read models')]}
      />
      <Sealed head={head} reply={reply} />
    </>
  )
}

function Sealed({ head, reply }: { head: AccountHead; reply: FormReply | undefined }) {
  const { openUntil, commandId, constraints } = head
  const form = formOf({ reply, constraints })
  if (openUntil)
    return (
      <Banner tone="honey">
        <p>
          What is sealed for this member is open to you until <span className="tabular">{stampOf(openUntil)}</span>. The
          reason you gave stands in the log.
        </p>
      </Banner>
    )
  return (
    <details className="staff-fold" open={reply !== undefined}>
      <summary>
        Sealed fields are closed
        <Icon name="chevron-down" />
      </summary>
      <Form method="post" className="staff-form" noValidate>
        <ErrorSummary form={form} />
        <Owner />
        <input type="hidden" name="commandId" value={commandId} />
        <TextInput
          label="Why do you need to read them?"
          {...form.field('reason')}
          help="The reason is recorded, and opens this member’s fields to you for 15 minutes."
          autoComplete="off"
        />
        <Button name="intent" value="reveal" icon="eye">
          Open sealed fields
        </Button>
      </Form>
    </details>
  )
}

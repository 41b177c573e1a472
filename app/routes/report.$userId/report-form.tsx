import { Form, useNavigation, useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import { RadioGroup } from '../../forms/chips.tsx'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import type { FormState } from '../../forms/reply.ts'
import { TextArea } from '../../forms/text-input.tsx'
import { Owner } from '../../shell/owner.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import type { OtherMember } from '../../ui/person/other-member.server.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { FROM_ROOM, isFromRoom } from '../../ui/room-path.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import './report-form.css'

const QUICK = [
  'Fake profile or someone else’s photos',
  'Rude, threatening or hateful',
  'Unwanted sexual content',
  'Asks for money or sells something',
  'May be under 18',
  'I fear for someone’s safety',
  'Something else',
].map((value) => ({ value, label: value }))
type ReportProps = { page: OtherMember; message: string | null; form: FormState; back: string }

/** Why, by one tap, own words, or both (spec 2 §5). */
export function ReportForm({ page, message, form, back }: ReportProps) {
  const busy = useNavigation().state !== 'idle'
  return (
    <Form method="post" className="stack stack-l" noValidate>
      <ErrorSummary form={form} />
      <Owner />
      <input type="hidden" name="commandId" value={page.commandId} />
      {message ? (
        <Banner>
          <p>The message you chose goes with your report.</p>
        </Banner>
      ) : null}
      <RadioGroup
        legend="What is wrong?"
        name="quick"
        alternative
        look="rows"
        choices={QUICK}
        value={form.values('quick')[0] ?? null}
        help="Choose one, say it in your own words, or both."
        error={form.error('quick')}
      />
      <TextArea label="In your own words" {...form.field('words')} optional rows={4} count />
      <div className="row">
        <Button tone="danger" icon="flag" busy={busy}>
          Send report
        </Button>
        <LinkButton to={back} tone="quiet">
          Cancel
        </LinkButton>
      </div>
    </Form>
  )
}

function Copy({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const hydrated = useHydrated()
  if (!hydrated) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <Button type="button" tone="quiet" icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
      {copied ? 'Copied' : 'Copy'}
    </Button>
  )
}

/** What happens next, the id to name it by, and a way to be rid of the person at once. */
export function ReportThanks({ page, report, back }: { page: OtherMember; report: string; back: string }) {
  const fromRoom = isFromRoom(useSearchParams()[0])
  return (
    <section className="stack" aria-labelledby="thanks">
      <div className="page-bar">
        <h1 id="thanks">Thank you for telling us</h1>
      </div>
      <p>
        A person on our team reads every report. We keep what you saw as it was, look at it together with the profile
        and the conversation, and act where our rules are broken. {page.name ?? 'The member'} is never told who reported
        them.
      </p>
      <p className="row">
        <span>
          Report id: <code className="mono">{report}</code>
        </span>
        <Copy text={report} />
      </p>
      <div className="row">
        {page.blocked ? null : (
          <LinkButton to={`/block/${page.id}${fromRoom ? `?${FROM_ROOM}` : ''}`} tone="danger" icon="ban">
            Block {page.name ?? 'this member'}
          </LinkButton>
        )}
        {fromRoom && page.matched ? (
          <LinkButton to={back} icon="arrow-left">
            Back to the chat
          </LinkButton>
        ) : null}
        <LinkButton to="/discover">Go to Discover</LinkButton>
      </div>
      <p className="soft small report-danger">
        <Icon name="shield" size="s" /> If someone is in danger right now, call your local emergency number.
      </p>
    </section>
  )
}

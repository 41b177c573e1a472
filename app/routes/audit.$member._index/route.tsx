import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { requireRole } from '../../request/guards.server.ts'
import { Owner } from '../../shell/owner.tsx'
import { pageTitle } from '../../shell/page-title.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { AuditHead } from '../../ui/audit/account-head.tsx'
import { openAccount, revealAction } from '../../ui/audit/account-page.server.ts'
import { filterOf, pageOf } from '../../ui/audit/asked.ts'
import { Paging } from '../../ui/audit/paging.tsx'
import { StaffPage } from '../../ui/audit/staff-page.tsx'
import { Timeline } from '../../ui/audit/timeline.tsx'
import { Button } from '../../ui/button.tsx'
import { CardTitle, EmptyState } from '../../ui/card.tsx'
import { TimelineFilters } from './timeline-filters.tsx'

export const meta = () => pageTitle('Audit: timeline')

/** The address of another page of the same list. */
function addressOf(url: URL, side: 'before' | 'after', position: string | undefined): string | null {
  if (!position) return null
  const params = new URLSearchParams(url.search)
  params.delete('before')
  params.delete('after')
  params.delete('_routes')
  params.set(side, position)
  return `?${params}`
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const url = new URL(request.url)
  const page = pageOf(url.searchParams)
  const { head, shown } = await openAccount(context, auditor, {
    request,
    member: params.member,
    view: 'timeline',
    read: (member, opened) => context.history.timeline(member, page, opened),
  })
  const { events, more } = shown
  const hasNewer = page.after ? more : page.before !== undefined
  const hasOlder = page.after ? true : more
  const text = (name: string) => url.searchParams.get(name) ?? ''
  return {
    head,
    events,
    newer: hasNewer ? addressOf(url, 'after', events[0]?.position) : null,
    older: hasOlder ? addressOf(url, 'before', events[events.length - 1]?.position) : null,
    asked: { kinds: filterOf(url.searchParams).kinds ?? [], from: text('from'), until: text('until') },
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const reply = await revealAction(context, auditor, { request, member: params.member })
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function AccountTimeline() {
  const { head, events, newer, older, asked } = useLoaderData<typeof loader>()
  const reply = useReply(useSentReply<typeof action>())
  const { member, kinds } = head.account
  const counts = Object.fromEntries(kinds.map(({ kind, events: of }) => [kind, of]))
  return (
    <StaffPage>
      <AuditHead head={head} part="timeline" reply={reply} />
      <TimelineFilters asked={asked} counts={counts} here={`/audit/${member}`} />
      <div className="row spread">
        <CardTitle>Events, newest first</CardTitle>
        <form method="post" action={`/audit/${member}/export`}>
          <Owner />
          {asked.kinds.map((kind) => (
            <input key={kind} type="hidden" name="kind" value={kind} />
          ))}
          <input type="hidden" name="from" value={asked.from} />
          <input type="hidden" name="until" value={asked.until} />
          <Button icon="upload">Export as NDJSON</Button>
        </form>
      </div>
      {events.length === 0 ? (
        <EmptyState icon="search" title="Nothing of that kind">
          <p>Ask for other kinds or days.</p>
        </EmptyState>
      ) : (
        <Timeline events={events} member={member} />
      )}
      <Paging newer={newer} older={older} />
    </StaffPage>
  )
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { HistoryReader } from '../../../projections/history/reader.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { requireRole } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { AuditHead } from '../../ui/audit/account-head.tsx'
import { openAccount, revealAction } from '../../ui/audit/account-page.server.ts'
import { momentOf } from '../../ui/audit/asked.ts'
import { StaffPage } from '../../ui/audit/staff-page.tsx'
import { DifferenceTable, StateTable, Unreadable } from '../../ui/audit/state-tables.tsx'
import { CardTitle } from '../../ui/card.tsx'
import { type StateAsked, StateForm } from './state-form.tsx'

export const meta = () => pageTitle('Audit: state')

function askedIn(request: Request): StateAsked {
  const { searchParams } = new URL(request.url)
  const text = (name: string) => searchParams.get(name)?.trim() ?? ''
  return {
    stream: text('stream'),
    revision: text('revision'),
    at: text('at'),
    fromRevision: text('fromRevision'),
    fromAt: text('fromAt'),
  }
}

/** One state, or two beside each other when "since" is asked for. */
async function statesOf(history: HistoryReader, asked: StateAsked, opened: ReadonlySet<string>) {
  const none = { state: null, difference: null }
  const [to, from] = [momentOf(asked.revision, asked.at), momentOf(asked.fromRevision, asked.fromAt)]
  if (to === 'unclear' || from === 'unclear') return { ...none, unclear: true }
  if (from === null) return { ...none, unclear: false, state: await history.state(asked.stream, to, opened) }
  return { ...none, unclear: false, difference: await history.difference(asked.stream, { from, to }, opened) }
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const wanted = askedIn(request)
  const view = wanted.fromRevision || wanted.fromAt ? 'difference' : 'state'
  const { head, shown } = await openAccount(context, auditor, {
    request,
    member: params.member,
    view,
    async read(member, opened) {
      const streams = await context.history.streams(member)
      const known = streams.some(({ stream }) => stream === wanted.stream)
      const asked = { ...wanted, stream: known ? wanted.stream : (mainStream(streams, member) ?? '') }
      return { streams, asked, ...(await statesOf(context.history, asked, opened)) }
    },
  })
  return { head, ...shown }
}

const mainStream = (streams: readonly { stream: string }[], member: string) =>
  streams.find(({ stream }) => stream === `member-${member}`)?.stream ?? streams[0]?.stream

export async function action({ request, params, context }: ActionFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const reply = await revealAction(context, auditor, { request, member: params.member })
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function AccountState() {
  const { head, streams, asked, state, difference, unclear } = useLoaderData<typeof loader>()
  const reply = useReply(useSentReply<typeof action>())
  return (
    <StaffPage>
      <AuditHead head={head} part="state" reply={reply} />
      <CardTitle>A stream at a moment</CardTitle>
      <StateForm streams={streams} asked={asked} unclear={unclear} />
      <Unreadable why={state?.unreadable ?? difference?.to.unreadable ?? difference?.from.unreadable} />
      {state ? <StateTable state={state} /> : null}
      {difference ? <DifferenceTable difference={difference} /> : null}
    </StaffPage>
  )
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import type { ComparedRow, RowsAsked } from '../../../projections/history/compare.ts'
import type { HistoryReader } from '../../../projections/history/reader.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { requireRole } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { AuditHead } from '../../ui/audit/account-head.tsx'
import { openAccount, revealAction } from '../../ui/audit/account-page.server.ts'
import { TIMELINE_PAGE } from '../../ui/audit/asked.ts'
import { Paging } from '../../ui/audit/paging.tsx'
import { StaffPage } from '../../ui/audit/staff-page.tsx'
import { Timeline } from '../../ui/audit/timeline.tsx'
import { CardTitle } from '../../ui/card.tsx'
import { ModelRow, Models, Verdict } from './models.tsx'

export const meta = () => pageTitle('Audit: read models')

const ROWS = 20
/** Events that a row in a list names; all of them are on the row's own page. */
const REASONS = 8

/** A page of one model's rows, or a row with a page of its events, newest first. */
async function rowsOf(history: HistoryReader, member: Parameters<HistoryReader['compare']>[0], view: View) {
  const { model, row, page, opened } = view
  const skip = row ? 0 : page * ROWS
  const asked: RowsAsked | undefined = model ? { model, skip, limit: ROWS, ...(row && { row }) } : undefined
  const { models, rows, more } = await history.compare(member, opened, asked)
  const to = (of: number) => `?model=${model}${row ? `&row=${row}` : ''}&page=${of}`
  const [only] = row ? (rows ?? []) : []
  const reasons = [...(only?.madeBy ?? [])].reverse()
  const from = page * TIMELINE_PAGE
  const events = only ? await history.named(reasons.slice(from, from + TIMELINE_PAGE), opened) : null
  return {
    models,
    model: rows ? model : null,
    rows: rows?.map(shownRow) ?? [],
    events,
    newer: page > 0 ? to(page - 1) : null,
    older: (only ? reasons.length > from + TIMELINE_PAGE : more) ? to(page + 1) : null,
  }
}
type View = { model: string | null; row: string | null; page: number; opened: ReadonlySet<string> }

const shownRow = ({ madeBy, ...row }: ComparedRow) => ({
  ...row,
  madeBy: madeBy.slice(-REASONS),
  made: madeBy.length,
})

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const asked = new URL(request.url).searchParams
  const page = Math.min(1e6, Math.max(0, Math.trunc(Number(asked.get('page')) || 0)))
  const { head, shown } = await openAccount(context, auditor, {
    request,
    member: params.member,
    view: 'rows',
    read: (member, opened) =>
      rowsOf(context.history, member, { model: asked.get('model'), row: asked.get('row'), page, opened }),
  })
  return { head, ...shown }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const reply = await revealAction(context, auditor, { request, member: params.member })
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function AccountRows() {
  const { head, models, model, rows, events, newer, older } = useLoaderData<typeof loader>()
  const reply = useReply(useSentReply<typeof action>())
  const { member } = head.account
  return (
    <StaffPage>
      <AuditHead head={head} part="rows" reply={reply} />
      <Verdict models={models} />
      <CardTitle>Read models</CardTitle>
      <Models models={models} member={member} shown={model} />
      {model ? (
        <section className="stack" aria-label={`Rows of ${model}`}>
          <CardTitle>{events ? `Why a row of ${model} is so` : `Rows of ${model}`}</CardTitle>
          {events ? <Link to={`/audit/${member}/rows?model=${model}`}>All rows of {model}</Link> : null}
          {rows.length === 0 ? <p className="soft">No row is about this member.</p> : null}
          {rows.map((row) => (
            <ModelRow key={row.id} row={row} member={member} model={events ? null : model} />
          ))}
          {events ? <Timeline events={events} member={member} /> : null}
          <Paging newer={newer} older={older} />
        </section>
      ) : null}
    </StaffPage>
  )
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { MessageId, ReportId } from '../../../domain/shared/ids.ts'
import { readForm } from '../../forms/forms.server.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { ProfileError } from '../../ui/person/profile-error.tsx'
import { loadParting, reportAction } from '../../ui/person/relationship.server.ts'
import { ReportForm, ReportThanks } from './report-form.tsx'

export const meta = () => pageTitle('Report')
export { ProfileError as ErrorBoundary }

/** A message of the conversation may be named: it goes with the report. */
function messageOf(request: Request): MessageId | undefined {
  return MessageId.safeParse(new URL(request.url).searchParams.get('message')).data
}

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const page = await loadParting(context, { me, userId: params.userId }, true)
  const sent = ReportId.safeParse(new URL(request.url).searchParams.get('sent'))
  return { page, message: messageOf(request) ?? null, sent: sent.data ?? null }
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const _me = acting.who.member
  const message = messageOf(request)
  const form = await readForm(context, request)
  const answer = await reportAction(acting, params.userId, { form, message })
  return data(answer, answer.status)
}

export default function Report() {
  const { page, message, sent } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>() ?? null
  if (sent) {
    return (
      <div className="column column-form">
        <ReportThanks page={page} report={sent} />
      </div>
    )
  }
  return (
    <div className="column column-form stack stack-l">
      <header className="stack stack-s">
        <h1>Report {page.name ?? 'this member'}</h1>
        <p className="soft">Only our team reads this. The member is never told.</p>
      </header>
      <ReportForm page={page} message={message} refused={refused} />
    </div>
  )
}

import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { ReportId } from '../../../domain/shared/ids.ts'
import { constraintsOf } from '../../forms/form.server.ts'
import { formOf } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { ActionBar } from '../../ui/person/action-bar.tsx'
import { loadOther } from '../../ui/person/other-member.server.ts'
import { ProfileError } from '../../ui/person/profile-error.tsx'
import { useBackTo } from '../../ui/person/use-back-to.ts'
import { messageOf, ReportForm as Report, reportAction } from './action.server.ts'
import { ReportForm, ReportThanks } from './report-form.tsx'

export const meta = () => pageTitle('Report')
export { ProfileError as ErrorBoundary }

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const page = await loadOther(context, { me: acting.who.member, userId: params.userId }, acting)
  const sent = ReportId.safeParse(new URL(request.url).searchParams.get('sent'))
  return { page, message: messageOf(request) ?? null, sent: sent.data ?? null, constraints: constraintsOf(Report) }
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await reportAction(acting, { context, userId: params.userId, request })
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function ReportPage() {
  const { page, message, sent, constraints } = useLoaderData<typeof loader>()
  const reply = useReply(useSentReply<typeof action>())
  const back = useBackTo(page.id)
  if (sent) {
    return (
      <div className="column column-form">
        <ReportThanks page={page} report={sent} back={back} />
      </div>
    )
  }
  return (
    <div className="column column-form stack">
      <ActionBar title={`Report ${page.name ?? 'this member'}`} back={back} />
      <p className="soft">Only our team reads this. The member is never told.</p>
      <ReportForm page={page} message={message} form={formOf({ reply, constraints })} back={back} />
    </div>
  )
}

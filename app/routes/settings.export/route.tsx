import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { isRecent } from '../../../usecases/identity/prove.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { formOf } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { exportUrl } from '../../request/export-url.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { exportAction } from './action.server.ts'
import { AskForExport, ExportState } from './export-panel.tsx'

export const meta = () => pageTitle('Your data')

/** A copy of all that is kept of the member (security §3.3). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { who, now, exports, limits, secondFactor } = await requireMember(context)
  const [last, next, factor] = await Promise.all([
    exports.findLatest(who.member),
    limits.peek('EXPORT', who.member),
    secondFactor.isOn(who.member),
  ])
  return {
    gone: new URL(request.url).searchParams.has('gone'),
    last: last && {
      id: last.id,
      state: last.state,
      done: last.done,
      total: last.total,
      bytes: last.bytes,
      url: exportUrl(last.id),
      askedAt: last.askedAt.toISOString(),
      expiresAt: last.expiresAt?.toISOString() ?? null,
    },
    recent: isRecent(who, now()),
    factor,
    nextInMs: next.ok ? 0 : next.retryInMs,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await exportAction(acting, await receiveFields(context, request))
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function YourData() {
  const { gone, last, recent, factor, nextInMs } = useLoaderData<typeof loader>()
  const form = formOf({ reply: useReply(useActionData<typeof action>()) })
  return (
    <div className="column stack stack-l">
      <header className="page-bar">
        <h1>Your data</h1>
        <LinkButton to="/profile" icon="arrow-left" className="page-back">
          Back to profile
        </LinkButton>
      </header>
      <p>
        Take a copy of all that LetsBuzz keeps of you: your profile, photos and recordings, the messages that you sent
        and received, buzzes, matches, notifications, sessions, settings, reports and your whole history.
      </p>
      {gone ? (
        <Banner>
          <p>This copy is no longer here. Ask for a new one.</p>
        </Banner>
      ) : null}
      {last ? <ExportState last={last} /> : null}
      {last?.state === 'preparing' ? null : (
        <AskForExport again={last?.state === 'ready'} recent={recent} factor={factor} nextInMs={nextInMs} form={form} />
      )}
    </div>
  )
}

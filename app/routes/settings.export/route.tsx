import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { askForExport } from '../../../usecases/identity/export-data.ts'
import { isRecent } from '../../../usecases/identity/prove.ts'
import { readForm, textOf } from '../../forms/forms.server.ts'
import { exportUrl } from '../../request/export-url.ts'
import { requireMember, requireViewer } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { AskForExport, ExportState } from './export-panel.tsx'

export const meta = () => pageTitle('Your data')

/** A copy of all that is kept of the member (security §3.3). */
export async function loader({ context }: LoaderFunctionArgs) {
  await requireMember(context)
  const { who: viewer } = await requireViewer(context)
  const me = viewer.member
  const now = context.now()
  const last = await context.exports.findLatest(me)
  const next = await context.limits.peek('EXPORT', me)
  return {
    last: last && {
      ...{ id: last.id, state: last.state, done: last.done, total: last.total, bytes: last.bytes },
      url: exportUrl(last.id),
      askedAt: last.askedAt.toISOString(),
      expiresAt: last.expiresAt?.toISOString() ?? null,
    },
    recent: isRecent(viewer, now),
    nextInMs: next.ok ? 0 : next.retryInMs,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireMember(context)
  const form = await readForm(context, request)
  if (textOf(form, 'intent') !== 'export') return data({ error: 'Invalid request.', fields: {} }, 400)
  const asked = await askForExport(context, (await requireViewer(context)).who, { password: textOf(form, 'password') })
  if (asked.ok) throw redirect('/settings/export')
  const { error, status, fields = {} } = asked
  return data({ error, fields }, status)
}

export default function YourData() {
  const { last, recent, nextInMs } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <div className="column stack stack-l">
      <h1>Your data</h1>
      <p>
        Take a copy of all that LetsBuzz keeps of you: your profile, photos and recordings, the messages that you sent
        and received, buzzes, matches, notifications, sessions, settings, reports and your whole history.
      </p>
      {last ? <ExportState last={last} /> : null}
      {last?.state === 'preparing' ? null : (
        <AskForExport again={last?.state === 'ready'} recent={recent} nextInMs={nextInMs} refused={refused} />
      )}
    </div>
  )
}

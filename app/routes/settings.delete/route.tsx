import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import { isPasswordless } from '../../../usecases/identity/ask-deletion.ts'
import { isRecent } from '../../../usecases/identity/prove.ts'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { formOf } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { useReply } from '../../forms/use-reply.ts'
import { requireViewer } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { LEAVING_UNANSWERED } from '../../words/unanswered-pages.ts'
import { manageAction } from './action.server.ts'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { DeleteAccount, DeleteDialog } from './delete-account.tsx'
import { Reactivate } from './reactivate.tsx'

export const meta = () => pageTitle('Manage Account')

const HERE = '/settings/delete'

/** Deactivated accounts land here, and may come back or leave for good (ruling R25). */
export async function loader({ context }: LoaderFunctionArgs) {
  const acting = await requireViewer(context)
  const { who, now, secondFactor } = acting
  const [factor, passwordless] = await Promise.all([secondFactor.isOn(who.member), isPasswordless(acting)])
  return {
    deactivated: who.status === 'deactivated',
    recent: isRecent(who, now()),
    factor,
    passwordless,
    commandId: crypto.randomUUID(),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireViewer(context)
  const reply = await manageAction(acting, request, await receiveFields(context, request))
  return data(reply, reply.status)
}

export const clientAction = sendForm({ byIntent: LEAVING_UNANSWERED })

export default function ManageAccount() {
  const { deactivated, recent, factor, passwordless, commandId } = useLoaderData<typeof loader>()
  const acted = useActionData<typeof action>()
  const reply = useReply(acted)
  const [params] = useSearchParams()
  // A dialog that is opened again begins anew.
  const dialogReply = acted ? reply : undefined
  // Of a dialog whose form was refused for ever: nothing that can be typed there helps.
  const tooLate = passwordless && dialogReply?.form === 'delete' && dialogReply.code === 'reauth'
  const sure = params.get('confirm') === 'delete' && (recent || dialogReply?.form === 'delete') && !tooLate
  const [passed, pass] = useState<typeof reply>()
  if (sure && passed !== reply) pass(reply)
  // Behind the dialog nothing is wrong any more, and what is wrong in it is shown there.
  const form = formOf({ reply: reply === passed || (reply?.form === 'delete' && !tooLate) ? null : reply })
  const isOfDeletion = form.reply?.form === 'ask-delete' || form.reply?.form === 'delete'
  const leaving = params.get('confirm') === 'deactivate' && !deactivated
  const summary = sure || leaving ? null : <ErrorSummary form={form} />
  return (
    <div className="column stack stack-l asks">
      {deactivated ? (
        // Below the bar of the product, their one way out.
        <h1>Manage Account</h1>
      ) : (
        <header className="page-bar">
          <h1>Manage Account</h1>
          <LinkButton to="/profile" icon="arrow-left" className="page-back">
            Back to profile
          </LinkButton>
        </header>
      )}
      {isOfDeletion ? null : summary}
      {params.has('welcome') && !deactivated ? (
        <Banner tone="leaf" live action={<LinkButton to="/discover">Go to Discover</LinkButton>}>
          <p>Welcome back. Your account is active again.</p>
        </Banner>
      ) : null}
      {deactivated ? <Reactivate commandId={commandId} failed={Boolean(reply) || sure} /> : <Active />}
      <DeleteAccount
        form={form}
        deactivated={deactivated}
        factor={factor}
        passwordless={passwordless}
        recent={recent && !tooLate}
      >
        {isOfDeletion ? summary : null}
      </DeleteAccount>
      {leaving ? <DeactivateDialog form={form} commandId={commandId} closeTo={HERE} /> : null}
      {sure ? <DeleteDialog reply={dialogReply} factor={factor} recent={recent} closeTo={HERE} /> : null}
    </div>
  )
}

function Active() {
  return (
    <Card title="Deactivate" icon="moon-star">
      <p>
        Nobody can see you, buzz you or write to you until you come back. Your profile, matches and conversations stay
        as they are. You are signed out everywhere.
      </p>
      <p>
        <LinkButton to="?confirm=deactivate" preventScrollReset>
          Deactivate account
        </LinkButton>
      </p>
    </Card>
  )
}

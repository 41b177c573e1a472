import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { reactivate } from '../actions/identity/reactivate.server.ts'
import { deactivate } from '../actions/profile/account.server.ts'
import { Banner } from '../components/banner.tsx'
import { LinkButton } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { DeactivateDialog } from '../components/profile/deactivate-dialog.tsx'
import { Reactivate } from '../components/profile/reactivate.tsx'
import { commandIdOf, textOf } from '../lib/request/forms.server.ts'
import { requireViewer } from '../lib/request/guards.server.ts'
import { noSessionCookie } from '../lib/request/session-cookie.server.ts'
import { pageTitle } from '../lib/shell/page-title.ts'
import { pipelineWorded } from '../lib/words/words.ts'

export const meta = () => pageTitle('Manage Account')

const HERE = '/settings/delete'
const NOT_DONE = 'Could not deactivate account.'

/** Deactivated accounts land here, and may do nothing else (ruling R25). */
export async function loader({ context }: LoaderFunctionArgs) {
  const { status } = await requireViewer(context)
  return { deactivated: status === 'deactivated', commandId: crypto.randomUUID() }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { member: me } = await requireViewer(context)
  const form = await request.formData()
  const commandId = commandIdOf(form)
  switch (textOf(form, 'intent')) {
    case 'reactivate': {
      const outcome = await reactivate(context, me, { commandId })
      if (outcome.ok) throw redirect(`${HERE}?welcome`)
      const { error, status } = pipelineWorded(outcome) ?? { error: 'Could not reactivate account.', status: 409 }
      return data({ error }, status)
    }
    case 'deactivate': {
      const outcome = await deactivate(context, me, { commandId })
      if (outcome.ok) throw redirect('/', { headers: { 'Set-Cookie': noSessionCookie() } })
      const { error, status } = pipelineWorded(outcome) ?? { error: NOT_DONE, status: 409 }
      return data({ error }, status)
    }
    default:
      return data({ error: 'Invalid request.' }, 400)
  }
}

export default function ManageAccount() {
  const { deactivated, commandId } = useLoaderData<typeof loader>()
  const error = useActionData<typeof action>()?.error
  const [params] = useSearchParams()
  return (
    <div className="column stack stack-l">
      <h1>Manage Account</h1>
      {error ? (
        <Banner tone="alarm" live>
          <p>{error}</p>
        </Banner>
      ) : null}
      {params.has('welcome') && !deactivated ? (
        <Banner tone="leaf" live action={<LinkButton to="/discover">Go to Discover</LinkButton>}>
          <p>Welcome back. Your account is active again.</p>
        </Banner>
      ) : null}
      {deactivated ? <Reactivate commandId={commandId} failed={Boolean(error)} /> : <Active />}
      {params.get('confirm') === 'deactivate' && !deactivated ? (
        <DeactivateDialog commandId={commandId} closeTo={HERE} />
      ) : null}
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

import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import type { Answer, Fields } from '../../../usecases/answer.ts'
import { deactivate } from '../../../usecases/identity/deactivate.ts'
import { deleteOwnAccount, proveForDeletion } from '../../../usecases/identity/delete-account.ts'
import { isRecent } from '../../../usecases/identity/prove.ts'
import { reactivate } from '../../../usecases/identity/reactivate.ts'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { commandIdOf, textOf } from '../../forms/forms.server.ts'
import { requireViewer } from '../../request/guards.server.ts'
import { noSessionCookie } from '../../request/session-cookie.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { Banner } from '../../ui/banner.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { pipelineWorded } from '../../words/words.ts'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { DeleteAccount, DeleteDialog } from './delete-account.tsx'
import { Reactivate } from './reactivate.tsx'

export const meta = () => pageTitle('Manage Account')

const HERE = '/settings/delete'
const NOT_DONE = 'Could not deactivate account.'
/** What is typed by whoever means it. */
const WORD = 'DELETE'
const NOT_TYPED = `Type ${WORD} to confirm.`

/** Deactivated accounts land here, and may come back or leave for good (ruling R25). */
export async function loader({ context }: LoaderFunctionArgs) {
  const acting = await requireViewer(context)
  const viewer = acting.who
  const recent = isRecent(viewer, context.now())
  return { deactivated: viewer.status === 'deactivated', recent, commandId: crypto.randomUUID() }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireViewer(context)
  const viewer = acting.who
  const form = await request.formData()
  const commandId = commandIdOf(form)
  switch (textOf(form, 'intent')) {
    case 'reactivate': {
      const outcome = await reactivate(acting, { commandId })
      if (outcome.ok) throw redirect(`${HERE}?welcome`)
      return refusal(pipelineWorded(outcome) ?? { error: 'Could not reactivate account.', status: 409 })
    }
    case 'deactivate': {
      const outcome = await deactivate(acting, { commandId })
      if (outcome.ok) throw redirect('/', { headers: { 'Set-Cookie': await noSessionCookie() } })
      return refusal(pipelineWorded(outcome) ?? { error: NOT_DONE, status: 409 })
    }
    case 'ask-delete': {
      const proven = await proveForDeletion(context, viewer, textOf(form, 'password'))
      if (proven.ok) throw redirect(`${HERE}?confirm=delete`)
      return refusal(proven)
    }
    case 'delete': {
      if (textOf(form, 'typed').trim().toUpperCase() !== WORD)
        return refusal({ status: 400, error: NOT_TYPED, fields: { typed: NOT_TYPED } })
      const deleted = await deleteOwnAccount(context, viewer, {})
      if (deleted.ok) throw redirect('/?goodbye', { headers: await goodbye() })
      return refusal(deleted)
    }
    default:
      return refusal({ status: 400, error: 'Invalid request.' })
  }
}

type Refused = Pick<Extract<Answer<null>, { ok: false }>, 'status' | 'error' | 'fields'>
const refusal = ({ status, error, fields = {} }: Refused) => data({ error, fields }, status)

/** The browser keeps nothing (spec 2 §4). */
async function goodbye(): Promise<Headers> {
  const headers = new Headers({ 'Clear-Site-Data': '"storage", "cookies"' })
  headers.append('Set-Cookie', await noSessionCookie())
  return headers
}

export default function ManageAccount() {
  const { deactivated, recent, commandId } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const [params] = useSearchParams()
  const fields: Fields = answer?.fields ?? {}
  const sure = params.get('confirm') === 'delete' && recent
  return (
    <div className="column stack stack-l">
      <h1>Manage Account</h1>
      {answer && !sure ? <Said error={answer.error} fields={fields} /> : null}
      {params.has('welcome') && !deactivated ? (
        <Banner tone="leaf" live action={<LinkButton to="/discover">Go to Discover</LinkButton>}>
          <p>Welcome back. Your account is active again.</p>
        </Banner>
      ) : null}
      {deactivated ? <Reactivate commandId={commandId} failed={Boolean(answer) || sure} /> : <Active />}
      <DeleteAccount fields={fields} deactivated={deactivated} />
      {params.get('confirm') === 'deactivate' && !deactivated ? (
        <DeactivateDialog commandId={commandId} closeTo={HERE} />
      ) : null}
      {sure ? <DeleteDialog word={WORD} answer={answer} closeTo={HERE} /> : null}
    </div>
  )
}

/** What is wrong with a field is said there, too. */
function Said({ error, fields }: { error: string; fields: Fields }) {
  if (Object.keys(fields).length > 0) return <ErrorSummary errors={fields} />
  return (
    <Banner tone="alarm" live>
      <p>{error}</p>
    </Banner>
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

import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { counted } from '../../../domain/shared/counted.ts'
import { requireRole } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { StaffPage } from '../../ui/audit/staff-page.tsx'
import { stampOf } from '../../ui/audit/words.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ReadModels } from './read-models.tsx'

export const meta = () => pageTitle('Read models')

export async function loader({ context }: LoaderFunctionArgs) {
  await requireRole(context, 'developer')
  return { models: await context.readModels(), asOf: context.now().toISOString() }
}

/** Nothing is sent here; without the role that answers like anywhere else. */
export async function action({ context }: ActionFunctionArgs) {
  await requireRole(context, 'developer')
  throw redirect('/admin/projections')
}

/** What `npm run projections -- status` prints, for developers. */
export default function Projections() {
  const { models, asOf } = useLoaderData<typeof loader>()
  const quarantined = models.reduce((sum, model) => sum + model.quarantined, 0)
  return (
    <StaffPage>
      <header className="row spread">
        <h1 className="staff-title">Read models</h1>
        <LinkButton to="/admin/projections" icon="refresh-cw" tone="quiet" reloadDocument>
          Look again
        </LinkButton>
      </header>
      <p className="soft">
        {models.length} read models at <time dateTime={asOf}>{stampOf(asOf)}</time>,{' '}
        {quarantined === 0 ? 'no event' : counted(quarantined, 'event')} set aside.
      </p>
      <ReadModels models={models} />
    </StaffPage>
  )
}

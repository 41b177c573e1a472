import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ComparedModel } from '../../projections/history/replay.ts'
import { openAccount, revealAction } from '../actions/audit/account-page.server.ts'
import { AuditHead } from '../components/audit/account-head.tsx'
import { type ModelLine, ModelRow, Models } from '../components/audit/models.tsx'
import { Paging } from '../components/audit/paging.tsx'
import { Banner } from '../components/banner.tsx'
import { requireRole } from '../lib/request/guards.server.ts'
import { pageTitle } from '../lib/shell/page-title.ts'

export const meta = () => pageTitle('Audit: read models')

const ROWS = 20

const lineOf = ({ rows, ...model }: ComparedModel): ModelLine => ({
  ...model,
  count: rows.length,
  wrong: rows.filter(({ verdict }) => verdict !== 'equal').length,
})

/** A page of one model's rows, those first that are not as they should be. */
function rowsOf(models: readonly ComparedModel[], asked: URLSearchParams) {
  const name = asked.get('model')
  const model = models.find((one) => one.name === name)
  const all = [...(model?.rows ?? [])].sort((a, b) => Number(a.verdict === 'equal') - Number(b.verdict === 'equal'))
  const page = Math.max(0, Math.trunc(Number(asked.get('page')) || 0))
  const to = (of: number) => `?model=${name}&page=${of}`
  return {
    model: model?.name ?? null,
    rows: all.slice(page * ROWS, (page + 1) * ROWS),
    newer: page > 0 ? to(page - 1) : null,
    older: all.length > (page + 1) * ROWS ? to(page + 1) : null,
  }
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const { head, opened } = await openAccount(context, auditor, { member: params.member, view: 'rows' })
  const models = await context.history.compare(head.account.member, opened)
  return { head, models: models.map(lineOf), ...rowsOf(models, new URL(request.url).searchParams) }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  return revealAction(context, auditor, { request, member: params.member })
}

export default function AccountRows() {
  const { head, models, model, rows, newer, older } = useLoaderData<typeof loader>()
  const error = useActionData<typeof action>()?.error
  const { member } = head.account
  const wrong = models.filter(({ verdict }) => verdict === 'differs').length
  return (
    <div className="column column-wide staff stack">
      <AuditHead head={head} part="rows" error={error} />
      <Banner
        tone={wrong === 0 ? 'leaf' : 'alarm'}
        title={wrong === 0 ? 'What readers see is what the log says' : 'Readers see what the log does not say'}
      >
        <p>The member’s events were folded again in memory and held against the rows at the same position.</p>
      </Banner>
      <h2 className="card-title">Read models</h2>
      <Models models={models} member={member} />
      {model ? (
        <section className="stack" aria-label={`Rows of ${model}`}>
          <h2 className="card-title">Rows of {model}</h2>
          {rows.length === 0 ? <p className="soft">No row is about this member.</p> : null}
          {rows.map((row) => (
            <ModelRow key={row.id} row={row} member={member} />
          ))}
          <Paging newer={newer} older={older} />
        </section>
      ) : null}
    </div>
  )
}

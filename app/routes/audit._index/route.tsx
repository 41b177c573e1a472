import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { findAccounts } from '../../../usecases/audit/find-accounts.ts'
import { TextInput } from '../../forms/text-input.tsx'
import { useAskedForm } from '../../forms/use-asked-form.ts'
import { requireRole } from '../../request/guards.server.ts'
import { isFromElsewhere } from '../../request/used-elsewhere.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { Id } from '../../ui/audit/shown-value.tsx'
import { StaffPage } from '../../ui/audit/staff-page.tsx'
import { Button } from '../../ui/button.tsx'
import { CardTitle } from '../../ui/card.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'

export const meta = () => pageTitle('Audit')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const asked = new URL(request.url).searchParams.get('q')?.trim() ?? ''
  if (asked === '') return data({ asked, members: [], stream: null }, 200)
  // What is looked for is recorded in the auditor's name.
  if (isFromElsewhere(request)) throw redirect('/audit')
  const { members, stream } = await findAccounts(context, auditor, asked)
  const [only] = members
  if (only && members.length === 1) throw redirect(`/audit/${only}`)
  return data({ asked, members: [...members], stream }, members.length === 0 ? 404 : 200)
}

/** Nothing is sent here; without the role that answers like anywhere else. */
export async function action({ context }: ActionFunctionArgs) {
  await requireRole(context, 'auditor')
  throw redirect('/audit')
}

/** Where an audit begins: an account is found by id, e-mail address or stream. */
export default function Audit() {
  const { asked, members, stream } = useLoaderData<typeof loader>()
  const { form } = useAskedForm(asked)
  return (
    <StaffPage wide={false}>
      <header className="stack stack-s">
        <h1 className="staff-title">Audit</h1>
        <p className="soft">
          What happened to an account, by whom and why, at any moment. Ask by a member’s id or e-mail address, or by a
          stream such as pair-…; every search and every look is recorded.
        </p>
      </header>
      <Form method="get" className="staff-form" ref={form}>
        <TextInput label="Account" name="q" defaultValue={asked} autoComplete="off" spellCheck={false} />
        <Button tone="primary" icon="search">
          Find
        </Button>
      </Form>
      {asked !== '' && members.length === 0 ? (
        <Banner tone="alarm" live>
          <p>Nobody is known by that. An erased member is found by id or stream alone.</p>
        </Banner>
      ) : null}
      {members.length > 1 ? (
        <section className="stack stack-s">
          <CardTitle>A stream of several members</CardTitle>
          <p>
            <Id id={stream ?? ''} />
          </p>
          <ul className="stack stack-s">
            {members.map((member) => (
              <li key={member}>
                <Id id={member} member />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </StaffPage>
  )
}

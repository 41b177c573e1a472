import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { loadPerson, personAction } from '../../ui/person/person.server.ts'
import { PersonPage } from '../../ui/person/person-page.tsx'
import { BUZZ_UNANSWERED } from '../../words/unanswered.ts'

type Titled = { data?: { found: { user: { firstName: string } | null } } | undefined }
export const meta = ({ data: page }: Titled) => pageTitle(page?.found.user?.firstName || 'Profile')
export { PreviewError as ErrorBoundary } from '../../ui/person/profile-error.tsx'

/** Always the short form, even for a match (ruling R1). */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  return loadPerson(acting, { userId: params.userId, page: 'preview' })
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const form = await receiveFields(context, request)
  const here = `/preview/${params.userId}`
  const reply = await personAction(acting, { userId: params.userId, form, here })
  return data(reply, reply.status)
}

export const clientAction = sendForm({ words: BUZZ_UNANSWERED, byIntent: {} })

export default function Preview() {
  const error = errorIn(useActionData<typeof action>())
  return <PersonPage page={useLoaderData<typeof loader>()} error={error} />
}

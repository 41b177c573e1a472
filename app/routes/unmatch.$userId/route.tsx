import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { ConfirmPage } from '../../ui/person/confirm-page.tsx'
import { loadOther } from '../../ui/person/other-member.server.ts'
import { ProfileError } from '../../ui/person/profile-error.tsx'
import { readAgainAfterRefusal } from '../../ui/person/read-again.ts'
import { useBackTo } from '../../ui/person/use-back-to.ts'
import { unmatchAction } from './action.server.ts'

export const meta = () => pageTitle('Unmatch')
export { ProfileError as ErrorBoundary, readAgainAfterRefusal as shouldRevalidate }

/** For matches alone; others have nothing to end. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const page = await loadOther(context, { me: acting.who.member, userId: params.userId })
  if (!page.matched) throw redirect(`/viewProfile/${page.id}`)
  return page
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await unmatchAction(acting, params.userId, await receiveFields(context, request))
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function Unmatch() {
  const { id, name, commandId } = useLoaderData<typeof loader>()
  const back = useBackTo(id)
  const error = errorIn(useActionData<typeof action>())
  return (
    <ConfirmPage
      icon="unlink"
      title={`Unmatch ${name ?? 'this member'}?`}
      points={[
        'Your conversation closes for both of you.',
        'They see your profile as a stranger does.',
        'You can buzz each other again after 30 days.',
      ]}
      confirm="Unmatch"
      back={back}
      commandId={commandId}
      error={error}
    />
  )
}

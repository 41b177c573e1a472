import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireMember } from '../../request/guards.server.ts'
import { ownPath } from '../../request/return-to.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { MATCH_STAYS_ENDED } from '../../ui/person/block-words.ts'
import { ConfirmPage } from '../../ui/person/confirm-page.tsx'
import { loadOther } from '../../ui/person/other-member.server.ts'
import { ProfileError } from '../../ui/person/profile-error.tsx'
import { readAgainAfterRefusal } from '../../ui/person/read-again.ts'
import { useBackTo } from '../../ui/person/use-back-to.ts'
import { blockAction } from './action.server.ts'
import { Blocked, NotBlocked } from './unblock.tsx'
import { BLOCKED_PEOPLE, UNBLOCK } from './unblock-form.ts'

export const meta = () => pageTitle('Block')
export { ProfileError as ErrorBoundary, readAgainAfterRefusal as shouldRevalidate }

export async function loader({ params, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  return loadOther(context, { me: acting.who.member, userId: params.userId })
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await blockAction(acting, params.userId, await receiveFields(context, request))
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function Block() {
  const { id, name, blocked, matched, commandId } = useLoaderData<typeof loader>()
  const reply = useActionData<typeof action>()
  const error = errorIn(reply)
  const who = name ?? 'this member'
  const unblocked = reply?.values.back?.[0]
  const back = useBackTo(id)
  if (blocked) return <Blocked who={who} commandId={commandId} error={error} back={unblocked} />
  if (reply?.form === UNBLOCK)
    return <NotBlocked who={name ?? 'This member'} back={ownPath(unblocked, BLOCKED_PEOPLE)} />
  return (
    <ConfirmPage
      icon="ban"
      title={`Block ${who}?`}
      points={[
        'Neither of you sees the other any more.',
        'A match and its conversation close for both.',
        'They are not told. You can unblock at any time.',
        ...(matched ? [MATCH_STAYS_ENDED] : []),
      ]}
      confirm="Block"
      back={back}
      commandId={commandId}
      error={error}
    />
  )
}

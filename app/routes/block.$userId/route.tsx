import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { errorIn } from '../../forms/reply.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { ConfirmPage } from '../../ui/person/confirm-page.tsx'
import { loadOther } from '../../ui/person/other-member.server.ts'
import { ProfileError } from '../../ui/person/profile-error.tsx'
import { blockAction } from './action.server.ts'

export const meta = () => pageTitle('Block')
export { ProfileError as ErrorBoundary }

export async function loader({ params, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  return loadOther(context, { me: acting.who.member, userId: params.userId })
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const reply = await blockAction(acting, params.userId, await receiveFields(context, request))
  return data(reply, reply.status)
}

export default function Block() {
  const { id, name, blocked, commandId } = useLoaderData<typeof loader>()
  const error = errorIn(useActionData<typeof action>())
  const who = name ?? 'this member'
  if (blocked) {
    return (
      <div className="column">
        <h1 className="visually-hidden">Block</h1>
        <EmptyState
          icon="ban"
          title={`You blocked ${who}`}
          action={
            <Form method="post">
              <input type="hidden" name="commandId" value={commandId} />
              <Button name="intent" value="unblock" tone="primary">
                Unblock
              </Button>
            </Form>
          }
        >
          <p>Unblocking does not bring back a match.</p>
        </EmptyState>
      </div>
    )
  }
  return (
    <ConfirmPage
      icon="ban"
      title={`Block ${who}?`}
      points={[
        'Neither of you sees the other any more.',
        'A match and its conversation close for both.',
        'They are not told. You can unblock at any time.',
      ]}
      confirm="Block"
      back={`/viewProfile/${id}`}
      commandId={commandId}
      error={error}
    />
  )
}

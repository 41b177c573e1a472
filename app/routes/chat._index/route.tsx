import type { LoaderFunctionArgs } from '@remix-run/node'
import { useOutletContext } from '@remix-run/react'
import { requireMember } from '../../request/guards.server.ts'
import { EmptyState } from '../../ui/card.tsx'

export async function loader({ context }: LoaderFunctionArgs) {
  await requireMember(context)
  return null
}

/** Where a room would be (spec 1 §2); the list beside it lets it know whether there is none to open. */
export default function ChatIndex() {
  const none = useOutletContext<boolean>()
  return (
    <EmptyState icon="message-circle" title="Select a match to start chatting">
      {none ? null : <p>Your matches are on the left.</p>}
    </EmptyState>
  )
}

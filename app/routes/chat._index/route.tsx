import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireMember } from '../../request/guards.server.ts'
import { EmptyState } from '../../ui/card.tsx'

export async function loader({ context }: LoaderFunctionArgs) {
  await requireMember(context)
  return null
}

/** Where a room would be (spec 1 §2). */
export default function ChatIndex() {
  return (
    <EmptyState icon="message-circle" title="Select a match to start chatting">
      <p>Your matches are on the left.</p>
    </EmptyState>
  )
}

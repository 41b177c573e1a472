import type { LoaderFunctionArgs } from '@remix-run/node'
import { useOutletContext } from '@remix-run/react'
import type { ReactNode } from 'react'
import { requireMember } from '../../request/guards.server.ts'
import { EmptyState } from '../../ui/card.tsx'

export async function loader({ context }: LoaderFunctionArgs) {
  await requireMember(context)
  return null
}

/** Beside the matches, where there are any; else the words on that, which the page of them brings. */
export default function ChatIndex() {
  return (
    useOutletContext<ReactNode>() ?? (
      <EmptyState icon="message-circle" title="Select a match to start chatting">
        <p>Your conversations are on the left.</p>
      </EmptyState>
    )
  )
}

import { isRouteErrorResponse, useParams, useRouteError } from '@remix-run/react'
import { useShellMember } from '../../shell/use-shell.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorPage, Failure } from '../../ui/feedback/error-page.tsx'
import { LastWords } from '../../ui/feedback/last-reply.tsx'
import { typedBetween } from './typed.ts'

const CLOSED = { title: 'This conversation is closed', text: 'It has ended, or the link is incomplete.' }

/** Why a room does not show. Who unmatched or blocked whom, and whether there ever was a room, is not revealed. */
export function RoomError() {
  const error = useRouteError()
  const { userId } = useParams()
  const typed = typedBetween(useShellMember()?.id, userId)
  return isRouteErrorResponse(error) && error.status === 404 ? (
    <Failure words={CLOSED}>
      {typed ? <LastWords text={typed} /> : null}
      <LinkButton to="/chat" tone="primary">
        Your matches
      </LinkButton>
    </Failure>
  ) : (
    <ErrorPage />
  )
}

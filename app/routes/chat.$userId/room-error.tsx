import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorPage, Failure } from '../../ui/feedback/error-page.tsx'

const CLOSED = { title: 'This conversation is closed', text: 'It has ended, or the link is incomplete.' }

/** Why a room does not show. Who unmatched or blocked whom, and whether there ever was a room, is not revealed. */
export function RoomError() {
  const error = useRouteError()
  return isRouteErrorResponse(error) && error.status === 404 ? (
    <Failure status={error.status} words={CLOSED}>
      <LinkButton to="/chat" tone="primary">
        Your matches
      </LinkButton>
    </Failure>
  ) : (
    <ErrorPage />
  )
}

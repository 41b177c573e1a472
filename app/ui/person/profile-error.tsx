import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { LinkButton } from '../button.tsx'
import { ErrorPage, Failure } from '../feedback/error-page.tsx'
import { useFocusInPlace } from '../feedback/use-focus-in-place.ts'
import { useGoBack } from './use-go-back.ts'

type Words = { title: string; text: string }
const TOO_MANY: Words = {
  title: 'A little slower, please',
  text: 'That was a lot of profiles. Wait a while and go on.',
}

/** Spec 2 §8, "Profile view". */
const PROFILE: Readonly<Record<number, Words>> = {
  403: { title: 'Cannot view profile.', text: 'It is not open to you at the moment.' },
  404: { title: 'Profile not found.', text: 'The member may have left, or the link is incomplete.' },
  429: TOO_MANY,
}
/** Spec 2 §8, "Limited preview". */
const PREVIEW: Readonly<Record<number, Words>> = {
  403: { title: 'Profile requires a match to view.', text: 'It opens once you have both buzzed.' },
  404: { title: 'Unable to load profile.', text: 'The member may have left, or the link is incomplete.' },
  429: TOO_MANY,
}
const OTHERWISE: Words = { title: 'Unable to load profile.', text: 'Try again in a moment.' }

/** Back to where the member came from; without script, to Discover. */
function GoBack() {
  const goBack = useGoBack()
  return (
    <LinkButton to="/discover" tone="primary" icon="arrow-left" onClick={goBack}>
      Go Back
    </LinkButton>
  )
}

/** Why another member's profile does not show. */
export function ProfileError() {
  const error = useRouteError()
  useFocusInPlace()
  const words = isRouteErrorResponse(error) ? PROFILE[error.status] : undefined
  return words ? (
    <Failure words={words}>
      <GoBack />
    </Failure>
  ) : (
    <ErrorPage />
  )
}

export function PreviewError() {
  const error = useRouteError()
  useFocusInPlace()
  const status = isRouteErrorResponse(error) ? error.status : 500
  return (
    <Failure words={PREVIEW[status] ?? OTHERWISE}>
      <GoBack />
    </Failure>
  )
}

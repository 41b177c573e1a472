import { isRouteErrorResponse, useLocation, useRouteError } from '@remix-run/react'
import type { ReactNode } from 'react'
import { VISUAL_SIZES } from '../../words/file-sizes.ts'
import { unavailableIn } from '../../words/unavailable.ts'
import { LinkButton } from '../button.tsx'
import './error-page.css'
import { LastReply } from './last-reply.tsx'
import { useReadAgain } from './use-read-again.ts'

type Words = { title: string; text: string; retry?: boolean }

const UNEXPECTED: Words = {
  title: 'Something went wrong on our side',
  text: 'Nothing you did caused this, and what was saved stays saved.',
  retry: true,
}

/** Nothing came back. */
const NO_ANSWER: Words = {
  title: 'No connection',
  text: 'This page could not be loaded. It loads by itself once you are connected again.',
  retry: true,
}
/** How the browsers word a request that got no answer. */
const NOT_FETCHED = /^(Failed to fetch|NetworkError|Load failed)/

/** Status to words: the only module with the words of a failed page. */
const WORDS: Record<number, Words> = {
  400: { title: 'That did not look right', text: 'The page could not read what was sent. Go back and try once more.' },
  401: { title: 'Please log in', text: 'This page is for members. Log in and come back.' },
  403: { title: 'Not available', text: 'This is not available to you.' },
  404: { title: 'Nothing here', text: 'It may have been removed, or the link is incomplete.' },
  409: {
    title: 'Someone was faster',
    text: 'This changed while you were looking at it. Load the page again.',
    retry: true,
  },
  413: { title: 'That file is too large', text: `${VISUAL_SIZES} Choose a smaller one and try again.` },
  415: { title: 'That kind of file does not work here', text: 'Choose another one and try again.' },
  429: { title: 'A little slower, please', text: 'That was a lot at once. Wait a moment and try again.', retry: true },
  503: { title: 'Back in a moment', text: 'LetsBuzz is starting. Try again shortly.', retry: true },
}

/** `kept`: what of the member's own is not lost with the page. */
type ErrorPageProps = { kept?: ReactNode }

/** What every ErrorBoundary renders: `export { ErrorPage as ErrorBoundary }`. */
export function ErrorPage({ kept }: ErrorPageProps) {
  const error = useRouteError()
  const { pathname, search } = useLocation()
  const isUnanswered = error instanceof TypeError && NOT_FETCHED.test(error.message)
  const answer = isRouteErrorResponse(error) ? error : null
  const status = answer?.status ?? 500
  const unavailable = unavailableIn(answer?.data)
  // A limit mostly ends while somebody looks.
  useReadAgain(isUnanswered ? 'unanswered' : status >= 500 || unavailable ? 'fault' : null)
  const known = isUnanswered ? NO_ANSWER : (WORDS[status] ?? UNEXPECTED)
  const words = { ...known, ...(unavailable && { text: unavailable.error }) }
  return (
    <Failure words={words} kept={kept}>
      {words.retry ? (
        <LinkButton tone="primary" to={pathname + search} replace reloadDocument={!isUnanswered}>
          Try again
        </LinkButton>
      ) : null}
      <LinkButton tone={words.retry ? 'secondary' : 'primary'} to={status === 401 ? '/login' : '/'}>
        {status === 401 ? 'Log in' : 'Go to the start'}
      </LinkButton>
    </Failure>
  )
}

/** A page that failed: words, and the ways out. */
export function Failure({ words, kept, children }: ErrorPageProps & { words: Words; children: ReactNode }) {
  return (
    <section className="column error-page">
      <h1>{words.title}</h1>
      <LastReply />
      <p className="lead">{words.text}</p>
      {kept}
      <p className="row">{children}</p>
    </section>
  )
}

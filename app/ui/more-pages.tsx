import { useLocation, useNavigationType } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { LinkButton } from './button.tsx'
import './more-pages.css'

type MorePagesProps = {
  /** The id of the list, which shows a page at a time. */
  list: string
  /** The cursor of the following page, null at the end. */
  next: string | null
  /** This is not the first page. */
  later: boolean
  /** Where on the page the list is. */
  anchor?: string
}

/** Leads through a list page by page: the address names the cursor, so it works without script. */
export function MorePages({ list, next, later, anchor }: MorePagesProps) {
  const { pathname, search } = useLocation()
  usePageStart(list, new URLSearchParams(search))
  if (next === null && !later) return null
  const pageAfter = (cursor: string | null) => {
    const params = new URLSearchParams(search)
    if (cursor === null) params.delete('after')
    else params.set('after', cursor)
    return { pathname, search: params.toString(), ...(anchor && { hash: anchor }) }
  }
  return (
    <p className="row more-pages">
      {later ? (
        <LinkButton to={pageAfter(null)} tone="quiet" preventScrollReset>
          Back to the first
        </LinkButton>
      ) : null}
      {next === null ? null : (
        <LinkButton to={pageAfter(next)} tone="quiet" preventScrollReset>
          Show more
        </LinkButton>
      )}
    </p>
  )
}

/**
 * Where a link brought another page, its first entry is looked at and has the focus. The browser's own back does that itself;
 * who searches stays in the box, and who writes in a room stays there when the page beside it became empty.
 */
function usePageStart(list: string, search: URLSearchParams): void {
  const [after, words] = [search.get('after'), search.get('q')]
  const shown = useRef({ after, words })
  const isLink = useNavigationType() === 'PUSH'
  useEffect(() => {
    const before = shown.current
    if (before.after === after && before.words === words) return
    shown.current = { after, words }
    const first = document.getElementById(list)?.querySelector('li')
    if (!first || !isLink || before.words !== words) return
    first.tabIndex = -1
    first.focus({ preventScroll: true })
    first.scrollIntoView({ block: 'nearest' })
  }, [list, after, words, isLink])
}

import { useLocation } from '@remix-run/react'
import { LinkButton } from './button.tsx'

type MorePagesProps = {
  /** The cursor of the following page, null at the end. */
  next: string | null
  /** This is not the first page. */
  later: boolean
  /** Where on the page the list is. */
  anchor?: string
}

/** Leads through a list page by page: the address names the cursor, so it works without script. */
export function MorePages({ next, later, anchor }: MorePagesProps) {
  const { pathname, search } = useLocation()
  if (next === null && !later) return null
  const pageAfter = (cursor: string | null) => {
    const params = new URLSearchParams(search)
    if (cursor === null) params.delete('after')
    else params.set('after', cursor)
    return { pathname, search: params.toString(), ...(anchor && { hash: anchor }) }
  }
  return (
    <p className="row">
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

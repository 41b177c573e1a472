/** A browser's headers about a request: whose page makes it, how, and for what. */
type Fetched = {
  readonly site: string | null
  readonly mode: string | null
  readonly dest: string | null
  readonly purpose: string | null
}

/** Of a request as the platform has it. */
export const fetchedBy = ({ headers }: Request): Fetched => ({
  site: headers.get('Sec-Fetch-Site'),
  mode: headers.get('Sec-Fetch-Mode'),
  dest: headers.get('Sec-Fetch-Dest'),
  purpose: headers.get('Sec-Purpose'),
})

/**
 * Whether a page of another site leads here, by a link that is followed or not. A member does as well, by an address in a message:
 * no request shows that, so such a link asks for nothing (`message-pieces.ts`).
 */
export const isFromElsewhere = (request: Request): boolean => isElsewhere(fetchedBy(request).site)
const isElsewhere = (site: string | null): boolean => site === 'cross-site' || site === 'same-site'

/**
 * Whether a page of another site asks for it, to have in itself: as a picture, a script or a frame, or ahead of a link,
 * and not by a link that is followed. It gets nothing of it (`Cross-Origin-Resource-Policy`, `frame-ancestors`), and anybody's browser sends it.
 * Programs and old browsers send none of these headers.
 */
export function isUsedElsewhere({ site, mode, dest, purpose }: Fetched): boolean {
  // A service worker that asks anew for a page has no destination.
  const isPage = dest === null || dest === 'document' || dest === 'empty'
  const isFollowed = mode === 'navigate' && isPage && !purpose?.startsWith('prefetch')
  return isElsewhere(site) && !isFollowed
}

/** Whatever the router reads as such a page: in capitals, too, and in signs like `%61`, which no page of ours begins with. */
const LOOK_AT_ACCOUNT = /^\/+(audit\/|[^/]*%)/i

/**
 * What others may lead a member to of an address of ours: the page without its query, which would draft a message or set filters; null
 * where to open it has an auditor look at somebody (security T23).
 */
export function pageAlone({ pathname, hash }: Pick<URL, 'pathname' | 'hash'>): string | null {
  return LOOK_AT_ACCOUNT.test(pathname) ? null : pathname + hash
}

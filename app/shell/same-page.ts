import { type ShouldRevalidateFunctionArgs, useLocation, useSearchParams } from '@remix-run/react'

/** Parts of an address that open something on a page which the page has already. */
const OPENERS = ['section', 'saved']

function without({ search }: URL): string {
  const params = new URLSearchParams(search)
  for (const name of OPENERS) params.delete(name)
  return String(params)
}

/** For a route's `shouldRevalidate`: a sheet that opens or closes over its page reads nothing, and needs no network. */
export function readsForSheet({
  formMethod,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isSheet =
    !formMethod &&
    currentUrl.search !== nextUrl.search &&
    currentUrl.pathname === nextUrl.pathname &&
    without(currentUrl) === without(nextUrl)
  return !isSheet && defaultShouldRevalidate
}

/** The section that the address opens, or the one whose form a page without script has just sent. */
export function useOpenSection(sent: string | undefined): string | null {
  const [params] = useSearchParams()
  const isFirst = useLocation().key === 'default'
  return params.get('section') ?? (isFirst ? (sent ?? null) : null)
}

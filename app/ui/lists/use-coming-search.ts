import { useLocation, useNavigation } from '@remix-run/react'

/**
 * The parameters of the page's address, or of the same page that is on its way: what a quick hand presses next adds to what
 * it pressed before.
 */
export function useComingSearch(): URLSearchParams {
  const here = useLocation()
  const { location: coming } = useNavigation()
  return new URLSearchParams(coming?.pathname === here.pathname ? coming.search : here.search)
}

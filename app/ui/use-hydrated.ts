import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and in the first render, true once script runs: for controls that need it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

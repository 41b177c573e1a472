import { useRouteLoaderData } from '@remix-run/react'
import type { loader } from '../root.tsx'

/** The root loader's data; null inside an error page whose root loader failed. */
export function useRoot() {
  return useRouteLoaderData<typeof loader>('root') ?? null
}

/** The signed-in member as the frame shows them, or null. */
export function useShellMember() {
  return useRoot()?.member ?? null
}

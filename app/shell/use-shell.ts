import { useRouteLoaderData } from '@remix-run/react'
import type { RootData, ShellMember } from './shell.ts'

/** The root loader's data; null inside an error page whose root loader failed. */
export function useRoot(): RootData | null {
  return useRouteLoaderData<RootData>('root') ?? null
}

/** The signed-in member as the frame shows them, or null. */
export function useShellMember(): ShellMember | null {
  return useRoot()?.member ?? null
}

import { useMatches, useRouteLoaderData } from '@remix-run/react'
import type { RootData, ShellHandle, ShellMember } from './shell.ts'

/** The root loader's data; null inside an error page whose root loader failed. */
export function useRoot(): RootData | null {
  return useRouteLoaderData<RootData>('root') ?? null
}

/** The signed-in member as the frame shows them, or null. */
export function useShellMember(): ShellMember | null {
  return useRoot()?.member ?? null
}

/** What the deepest route with a handle asks of the frame. */
export function useHandle(): ShellHandle {
  const handles = useMatches().map((match) => match.handle as ShellHandle | undefined)
  return handles.findLast((handle) => handle !== undefined) ?? {}
}

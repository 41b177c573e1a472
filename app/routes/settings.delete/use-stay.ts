import { useCallback, useState } from 'react'
import { useShellMember } from '../../shell/use-shell.ts'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'

const KEY = 'stays-deactivated'

/** Whether a deactivated member chose to stay so. The tab keeps the choice until they sign out. */
export function useStay(): { readonly stopped: boolean; readonly stop: () => void } {
  const id = useShellMember()?.id ?? ''
  const [stopped, setStopped] = useState(false)
  useBrowserLayoutEffect(() => setStopped(kept() === id), [id])
  const stop = useCallback(() => {
    setStopped(true)
    keep(id)
  }, [id])
  return { stopped, stop }
}

/** A browser that keeps nothing for a page throws. */
function kept(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

function keep(id: string): void {
  try {
    sessionStorage.setItem(KEY, id)
  } catch {
    // The page that is open knows it.
  }
}

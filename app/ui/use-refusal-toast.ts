import { useEffect } from 'react'
import { useToast } from './toast.tsx'

type Said = { readonly ok: true } | { readonly ok: false; readonly error: string }

/** For a form with no room for words beside it: a toast each time that it was refused, or not even tried. */
export function useRefusalToast(said: Said | undefined): void {
  const toast = useToast()
  useEffect(() => {
    if (said && !said.ok) toast({ text: said.error, tone: 'alarm' })
  }, [said, toast])
}

import { useLocation } from '@remix-run/react'
import { type RefObject, useEffect } from 'react'
import { useHydrated } from '../use-hydrated.ts'

/** What a reset of the password leaves to the login, in the state of its address: whose it was, and that it is done. */
export type AfterReset = { readonly email: string; readonly reset: string }

/** Null for whoever did not come from a reset, and before the page is awake. */
export function useAfterReset(): AfterReset | null {
  const { state } = useLocation()
  const isAwake = useHydrated()
  return isAwake && typeof state?.reset === 'string' ? state : null
}

/** What is to be typed next has the focus then. */
export function usePasswordFocus(form: RefObject<HTMLFormElement>, after: AfterReset | null): void {
  useEffect(() => {
    const next = after?.email ? '[name=password]' : '[name=email]'
    if (after) form.current?.querySelector<HTMLInputElement>(next)?.focus()
  }, [form, after])
}

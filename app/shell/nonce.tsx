import { createContext, useContext } from 'react'

/** Carries the nonce from `entry.server` to the inline scripts; undefined in the browser, which hides nonces. */
export const NonceContext = createContext<string | undefined>(undefined)

export function useNonce(): string | undefined {
  return useContext(NonceContext)
}

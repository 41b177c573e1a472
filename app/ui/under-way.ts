import type { Fetcher } from '@remix-run/react'
import { unavailableIn } from '../words/unavailable.ts'

/**
 * What a fetcher's form is sending, until what it came to is on the page; undefined otherwise. One that was not answered
 * is over at once: the page is read after it all the same, which may wait as long as the network is away.
 */
export function underWay({ state, data, formData }: Fetcher): FormData | undefined {
  return state === 'loading' && unavailableIn(data) ? undefined : formData
}

import type { ShouldRevalidateFunctionArgs } from '@remix-run/react'

/**
 * For a page whose form may be refused because the page is out of date: after a refusal its data is read again, as it is
 * without script. A limit reveals nothing about the data.
 */
export function readAgainAfterRefusal({
  actionStatus = 200,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return defaultShouldRevalidate || (actionStatus >= 400 && actionStatus < 500 && actionStatus !== 429)
}

import type { ShouldRevalidateFunctionArgs } from '@remix-run/react'

const LIMITED = 429
const FAILED = 500

/**
 * For a page whose form may be refused because the page is out of date: after a refusal its data is read again, as it is
 * without script. A limit reveals nothing about the data, and a failure would be met again.
 */
export function readAgainAfterRefusal({
  actionStatus = 200,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return defaultShouldRevalidate && actionStatus !== LIMITED && actionStatus < FAILED
}

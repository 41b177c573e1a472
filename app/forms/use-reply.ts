import { useMemo, useRef } from 'react'
import type { FormReply } from './reply.ts'

/**
 * The last result of the page's own form. Where it was not even tried, its words are shown beside the earlier result,
 * so that the page stays at its stage with what was typed.
 */
export function useReply<R extends FormReply>(reply: R | null | undefined): R | undefined {
  const last = useRef<R>()
  if (reply && !reply.unavailable) last.current = reply
  const untried = useMemo(
    () =>
      reply?.unavailable ? { ...(last.current ?? reply), fields: reply.fields, unavailable: true as const } : null,
    [reply],
  )
  return untried ?? last.current
}

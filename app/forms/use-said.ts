import { useRef } from 'react'
import type { Fields } from '../../usecases/answer.ts'
import { unavailableIn } from '../words/unavailable.ts'

/**
 * What the page's own action said last, `first` before it said anything. Where a form was not even tried, the words of
 * that stand beside it, so that the page stays at its stage with what was typed.
 */
export function useSaid<T extends { fields?: Fields }>(said: T | undefined, first: T): T {
  const last = useRef<T>()
  const unavailable = unavailableIn(said)
  if (said && !unavailable) last.current = said
  const own = last.current ?? first
  return unavailable ? { ...own, fields: { '': unavailable.error } } : own
}

import type { AuditValue } from '../../../projections/history/masking.ts'

/** `2026-11-21 09:14:03 UTC`: what auditors compare and copy. `at` is ISO. */
export const stampOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

/** A shown value as text; null for what is hidden. */
export function textOfShown(shown: AuditValue): string | null {
  if ('hidden' in shown) return null
  return typeof shown.value === 'string' ? shown.value : JSON.stringify(shown.value)
}

/** What replaces a hidden value. */
export function hiddenWords(shown: Extract<AuditValue, { hidden: string }>): string {
  if (shown.hidden === 'sealed') return 'Sealed'
  return shown.since ? `Erased on ${shown.since.slice(0, 10)}` : 'Erased'
}

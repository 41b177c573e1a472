import { z } from 'zod'
import { normal } from '../../domain/shared/normal.ts'

export const SIX_DIGITS = /^\d{6}$/

const Email = z.string().trim().max(254).pipe(z.email())

/** The trimmed address, or null when it is none. */
export function parseEmail(text: string): string | null {
  const parsed = Email.safeParse(text)
  return parsed.success ? normal(parsed.data) : null
}

/** What was typed, as text. */
export function typed(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

import { z } from 'zod'

export const INVALID_EMAIL = 'Please enter a valid email address.'
export const SIX_DIGITS = /^\d{6}$/

const Email = z.string().trim().max(254).pipe(z.email())

/** The trimmed address, or null when it is none. */
export function parseEmail(value: unknown): string | null {
  const parsed = Email.safeParse(value)
  return parsed.success ? parsed.data.normalize('NFC') : null
}

/** What was typed, as text. */
export function typed(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Buzz Mode is the third theme; `system` follows the device between light and dark (spec 1 §2). */
export type Theme = 'system' | 'buzz'

export const THEME_FETCHER = 'theme'

export function parseTheme(value: unknown): Theme {
  return value === 'buzz' ? 'buzz' : 'system'
}

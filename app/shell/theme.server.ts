import { readCookie } from '../request/cookie.server.ts'
import { parseTheme, type Theme } from './theme.ts'

const THEME_COOKIE = '__Host-theme'
const THEME_COOKIE_SECONDS = 400 * 24 * 60 * 60

export function themeOf(request: Request): Theme {
  return parseTheme(readCookie(request, THEME_COOKIE))
}

export function themeCookie(theme: Theme): string {
  const age = theme === 'system' ? 0 : THEME_COOKIE_SECONDS
  return `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${age}; Secure; HttpOnly; SameSite=Lax`
}

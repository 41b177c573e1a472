import { cookieOf, hostCookie } from '../request/cookie.server.ts'
import { parseTheme, type Theme } from './theme.ts'

const theme = hostCookie('__Host-theme')

export async function themeOf(request: Request): Promise<Theme> {
  return parseTheme(await cookieOf(theme, request))
}

/** The device's own theme is what a browser without the cookie shows. */
export function themeCookie(chosen: Theme): Promise<string> {
  return theme.serialize(chosen, chosen === 'system' ? { maxAge: 0 } : {})
}

import { readCookie } from './cookie.server.ts'

/** The website's session (security §3.2, ruling R15). */
export const SESSION_COOKIE = '__Host-buzz'
/** The right to finish a registration (ruling R13). */
export const PROOF_COOKIE = '__Host-signup'
/** A browser that signed in before: guesses of others do not lock it out (api-contract §6.2). */
const DEVICE_COOKIE = '__Host-device'

const DAY_SECONDS = 86_400
const REMEMBER_SECONDS = 30 * DAY_SECONDS
const PROOF_SECONDS = 2 * 60 * 60
const DEVICE_SECONDS = 400 * DAY_SECONDS

/**
 * Bound to this host: Secure (loopback counts), without a Domain (security §3.2). Without an age it lasts as long as the
 * browser session; 0 removes it.
 */
export function hostCookie(name: `__Host-${string}`, value: string, seconds?: number): string {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${age}`
}

export const sessionCookie = (token: string, remember: boolean) =>
  hostCookie(SESSION_COOKIE, token, remember ? REMEMBER_SECONDS : undefined)
export const noSessionCookie = () => hostCookie(SESSION_COOKIE, '', 0)
export const proofCookie = (token: string) => hostCookie(PROOF_COOKIE, token, PROOF_SECONDS)
export const noProofCookie = () => hostCookie(PROOF_COOKIE, '', 0)
export const deviceCookie = (device: string) => hostCookie(DEVICE_COOKIE, device, DEVICE_SECONDS)

export const proofTokenOf = (request: Request) => readCookie(request, PROOF_COOKIE)
export const deviceOf = (request: Request) => readCookie(request, DEVICE_COOKIE) ?? undefined

const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** "Firefox on Linux", for the member's list of sessions; nothing finer is kept. */
export function deviceLabel(request: Request): string {
  const agent = request.headers.get('User-Agent') ?? ''
  const find = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(agent))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (!browser) return system ? `A program on ${system}` : 'A program'
  return system ? `${browser} on ${system}` : browser
}

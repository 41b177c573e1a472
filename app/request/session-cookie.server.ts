import { cookieOf, hostCookie, removed } from './cookie.server.ts'

export const SESSION_COOKIE = '__Host-buzz'
export const PROOF_COOKIE = '__Host-signup'

/** Of a browser that is to be remembered. */
export const REMEMBER_SECONDS = 30 * 86_400

/** The website's session (security §3.2, ruling R15). */
const session = hostCookie(SESSION_COOKIE)
/** The right to finish a registration (ruling R13). */
const proof = hostCookie(PROOF_COOKIE)
/** A sign-in that waits for its code (api-contract C01). */
const challenge = hostCookie('__Host-challenge')
/** A browser that signed in before: guesses of others do not lock it out (api-contract §6.2). */
const device = hostCookie('__Host-device')
/** Set by a page while it signs out (`app/routes/signout`). */
const leaving = hostCookie('__Host-leaving')

export const sessionCookie = (token: string, remember: boolean): Promise<string> =>
  session.serialize(token, remember ? { maxAge: REMEMBER_SECONDS } : {})
export const proofCookie = (token: string): Promise<string> => proof.serialize(token)
export const noProofCookie = (): Promise<string> => removed(proof)
export const challengeCookie = (token: string): Promise<string> => challenge.serialize(token)
export const noChallengeCookie = (): Promise<string> => removed(challenge)
export const deviceCookie = (token: string): Promise<string> => device.serialize(token)

export const sessionTokenOf = (request: Request): Promise<string | null> => cookieOf(session, request)
/** Whether it brings a session, alive or not, that nobody is signing out of in another of its tabs. */
export const bringsSession = async (request: Request): Promise<boolean> =>
  (await sessionTokenOf(request)) !== null && (await cookieOf(leaving, request)) === null
export const proofTokenOf = (request: Request): Promise<string | null> => cookieOf(proof, request)
export const challengeOf = (request: Request): Promise<string | null> => cookieOf(challenge, request)
export const deviceOf = async (request: Request): Promise<string | undefined> =>
  (await cookieOf(device, request)) ?? undefined

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

import { createHash } from 'node:crypto'
import { redirect } from '@remix-run/node'
import { Authenticator } from 'remix-auth'
import { OAuth2RequestError, OAuth2Strategy } from 'remix-auth-oauth2'
import { GOOGLE, type GoogleClient } from '../../services/google.ts'
import {
  type GoogleRefusal,
  type GoogleSignIn,
  type GoogleTry,
  signInWithGoogle,
  takeGoogleTry,
} from '../../usecases/identity/sign-in-with-google.ts'
import { type Outcome, type Refused, refused } from '../../usecases/outcome.ts'
import { AWAY, retryAfter } from '../words/unavailable.ts'
import type { RequestContext } from './context.server.ts'
import { cookieOf, expired, FLOW_COOKIE, FLOW_SECONDS, hostCookie, removed } from './cookie.server.ts'
import { elsewhere } from './guards.server.ts'
import { loginPath, ownPath } from './return-to.ts'
import { deviceLabel, deviceOf, proofCookie } from './session-cookie.server.ts'
import { askForCode, signedIn } from './sign-in.server.ts'

const CALLBACK = '/auth/google/callback'
/** So many tabs may be at Google at once; with more of their cookies a request would be too large to be read. */
const FLOWS_MAX = 5
/** A longer page to come back to is left out: the cookie has to fit into a request. */
const RETURN_TO_MAX = 1_000
/** Google's token endpoint answers within it, or counts as away. */
export const ANSWER_MS = 10_000
/**
 * What Google gives, and what the library made. Google is not asked about anything else, and might answer as it does where the
 * site is wrong, which counts for nobody.
 */
const CODE = /^[\x20-\x7e]{1,1024}$/
const VERIFIER = /^[\w.~-]{43,128}$/
/** Where a refusal is shown, and where to go after signing in; as the text of a query, which a cookie can hold. */
const fromCookie = hostCookie('__Host-from')

/** The page that began the flow, and the path of ours to come back to. */
type Way = { readonly from: 'login' | 'signup'; readonly redirectTo: string }
type SignIn = Outcome<GoogleSignIn, GoogleRefusal>

/** The ID token must repeat what only this browser's flow has. */
const nonceOf = (state: string | null) =>
  createHash('sha256')
    .update(state ?? '')
    .digest('base64url')

/** Google is not asked: too many were. */
class NotAsked extends Error {
  constructor(readonly refusal: Refused<'slow-down'>) {
    super('Google is asked too often.')
  }
}

class GoogleStrategy extends OAuth2Strategy<SignIn> {
  constructor(
    options: ConstructorParameters<typeof OAuth2Strategy<SignIn>>[0],
    verify: ConstructorParameters<typeof OAuth2Strategy<SignIn>>[1],
    /** Once the state is known to be of this browser. */
    private readonly beforeAsking: () => Promise<void>,
  ) {
    super(options, verify)
  }

  protected override async validateAuthorizationCode(code: string, codeVerifier: string) {
    if (!CODE.test(code) || !VERIFIER.test(codeVerifier)) throw new RangeError('No code of a flow.')
    await this.beforeAsking()
    return await inTime(super.validateAuthorizationCode(code, codeVerifier))
  }

  protected override authorizationParams(params: URLSearchParams): URLSearchParams {
    const all = new URLSearchParams(params)
    all.set('nonce', nonceOf(params.get('state')))
    all.set('prompt', 'select_account')
    return all
  }
}

/** The library's question ends by itself late, and cannot be taken back. */
function inTime<T>(asked: Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(ANSWER_MS)
  const over = new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(late.reason)))
  return Promise.race([asked, over])
}

/** `taken`: the try that asking took, once Google is asked. */
type Asking = { readonly browser: Request; taken?: GoogleTry }

function authenticatorOf(
  context: RequestContext,
  { clientId, clientSecret }: GoogleClient,
  asking: Asking,
): Authenticator<SignIn> {
  const strategy = new GoogleStrategy(
    {
      clientId,
      clientSecret,
      authorizationEndpoint: GOOGLE.authorize,
      tokenEndpoint: GOOGLE.token,
      redirectURI: `${context.config.publicUrl}${CALLBACK}`,
      scopes: ['openid', 'email'],
      // Keeps state and code verifier of each tab, in a cookie of its own.
      cookie: { name: FLOW_COOKIE, path: '/', secure: true, httpOnly: true, sameSite: 'Lax', maxAge: FLOW_SECONDS },
    },
    async ({ request, tokens }) => {
      // The scope is in the visitor's hands: without an identity in it Google answers with no ID token.
      if (!('id_token' in tokens.data)) return refused('google-failed')
      return signInWithGoogle(context, {
        idToken: tokens.idToken(),
        nonce: nonceOf(new URL(request.url).searchParams.get('state')),
        networkTries: asking.taken?.networkTries ?? 0,
        device: await deviceOf(request),
        label: deviceLabel(request),
      })
    },
    async () => {
      const taken = await takeGoogleTry(context, await deviceOf(asking.browser))
      if (!taken.ok) throw new NotAsked(taken)
      asking.taken = taken.value
    },
  )
  return new Authenticator<SignIn>().use(strategy, 'google')
}

/** Sends the browser to Google; what came of it arrives at the callback. */
export async function startGoogle(context: RequestContext, request: Request, way: Way): Promise<Response> {
  if (!context.google) return elsewhere()
  const asking = new Request(`${context.config.publicUrl}/auth/google`)
  try {
    await authenticatorOf(context, context.google.client, { browser: request }).authenticate('google', asking)
  } catch (answer) {
    if (!(answer instanceof Response)) throw answer
    const headers = new Headers(answer.headers)
    headers.append('Set-Cookie', await wayCookie(way))
    const unfinished = flowsOf(request)
    for (const cookie of unfinished.length < FLOWS_MAX ? [] : unfinished) headers.append('Set-Cookie', cookie)
    return new Response(null, { status: 302, headers })
  }
  throw new Error('The sign-in provider was not asked.')
}

/** Ends the flow with a page that leads on: to the product, the wizard, or back with the reason. Its cookies are gone either way. */
export async function finishGoogle(context: RequestContext, request: Request): Promise<Response> {
  if (!context.google) return elsewhere()
  const outcome = await outcomeOf(context, context.google.client, request)
  const way = await wayOf(request)
  const response = outcome.ok ? await goOn(outcome.value, way) : await goBack(outcome, way)
  for (const cookie of await endedCookies(request)) response.headers.append('Set-Cookie', cookie)
  const isAway = !outcome.ok && outcome.reason === 'google-away'
  if (isAway) response.headers.set('Retry-After', retryAfter(AWAY.retryInMs))
  return onByItself(response, isAway ? AWAY.status : 200)
}

/**
 * The page leads on instead of a redirect, which a browser counts as a step of the other site: what the address asks for
 * would not be given (`isFromElsewhere`).
 */
function onByItself({ headers }: Response, status: number): Response {
  const to = ownPath(headers.get('Location')).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  headers.delete('Location')
  headers.set('Content-Type', 'text/html; charset=utf-8')
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="0;url=${to}"><title>LetsBuzz</title>
<p><a href="${to}">Go on to LetsBuzz</a></p></html>`
  return new Response(html, { status, headers })
}

async function outcomeOf(context: RequestContext, client: GoogleClient, request: Request): Promise<SignIn> {
  // Without a state the strategy would begin anew.
  if (!new URL(request.url).searchParams.get('state')) return refused('google-failed')
  const asking: Asking = { browser: request }
  const outcome = await authenticatorOf(context, client, asking)
    .authenticate('google', request)
    .catch((error: unknown) => refusalOf(context, error, asking))
  if (!outcome.ok && outcome.reason === 'google-away') await asking.taken?.giveBack()
  return outcome
}

/** What is neither the visitor's nor a limit is an outage: Google's, or ours. */
function refusalOf(context: RequestContext, error: unknown, { taken }: Asking): Refused<GoogleRefusal> {
  if (error instanceof NotAsked) return error.refusal
  if (taken ? isWrongCode(error) : isOfVisitor(error)) return refused('google-failed')
  // Whoever left waits for nothing more.
  if (!context.left?.aborted || error !== context.left.reason) context.reportError?.(error)
  return refused('google-away')
}

/**
 * Of all that Google answers these alone are about the code: it is unknown, or another site's, which anybody can bring as often as
 * they like. The rest is about the site, or Google itself.
 */
const OF_THE_CODE = new Set(['invalid_grant', 'unauthorized_client'])
const isWrongCode = (error: unknown) => error instanceof OAuth2RequestError && OF_THE_CODE.has(error.code)
/** Before Google is asked: a bad state, or a visitor who thought better of it. */
const isOfVisitor = (error: unknown) =>
  error instanceof OAuth2RequestError || error instanceof ReferenceError || error instanceof RangeError

async function goOn(signIn: GoogleSignIn, { redirectTo }: Way): Promise<Response> {
  if ('member' in signIn) return signedIn(signIn.member, redirectTo)
  return redirect('/register', { headers: { 'Set-Cookie': await proofCookie(signIn.onboarding.signupToken) } })
}

async function goBack({ reason, challenge }: Refused<GoogleRefusal>, { from, redirectTo }: Way): Promise<Response> {
  if (challenge) return askForCode(challenge, redirectTo)
  return redirect(from === 'signup' ? `/signup?google=${reason}` : loginPath(redirectTo, { google: reason }))
}

function wayCookie({ from, redirectTo }: Way): Promise<string> {
  const kept = redirectTo.length > RETURN_TO_MAX ? '/' : redirectTo
  return fromCookie.serialize(String(new URLSearchParams({ from, redirectTo: kept })))
}

/** What the browser brings back is not ours to trust: anything else is the login and the start page. */
async function wayOf(request: Request): Promise<Way> {
  const kept = new URLSearchParams((await cookieOf(fromCookie, request)) ?? '')
  return { from: kept.get('from') === 'signup' ? 'signup' : 'login', redirectTo: ownPath(kept.get('redirectTo')) }
}

/** The strategy leaves its cookies behind, also those of flows that nobody finished. */
const endedCookies = async (request: Request) => [...flowsOf(request), await removed(fromCookie)]

/** What removes the cookies of the flows that this browser has begun. */
export function flowsOf(request: Request): string[] {
  const names = (request.headers.get('Cookie') ?? '').matchAll(/(?:^|;\s*)(__Host-google:[\w-]{1,64})=/g)
  return [...names].map(([, name = '']) => expired(name))
}

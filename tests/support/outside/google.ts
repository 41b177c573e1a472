import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { delay, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { GOOGLE } from '../../../services/google.ts'

export const GOOGLE_CLIENT = { clientId: 'letsbuzz-tests.apps.example', clientSecret: 'a-secret-of-tests' }

/** What an ID token states; the rest is as Google fills it in. */
export type Claims = {
  sub: string
  email: string
  email_verified?: boolean
  nonce?: string
  iss?: string
  aud?: string
  /** Seconds from now. */
  exp?: number
}

const refusal = (error: string, status: number) => HttpResponse.json({ error }, { status })

/**
 * Google's keys and its token endpoint, on this machine. `code` stands for a member who agreed at Google; it is good for
 * one exchange with the site's secret and a code verifier. As there, the site is looked at before the code.
 */
export async function startGoogle() {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Claims>()
  let questions = 0
  let secret = GOOGLE_CLIENT.clientSecret

  function sign({ exp = 3600, ...claims }: Claims, key: CryptoKey): Promise<string> {
    const seconds = Math.floor(Date.now() / 1000)
    return new SignJWT({ iss: GOOGLE.origin, aud: GOOGLE_CLIENT.clientId, email_verified: true, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + exp)
      .sign(key)
  }

  const server = setupServer(
    http.get(GOOGLE.keys, () => HttpResponse.json({ keys: [jwk] })),
    http.post(GOOGLE.token, async ({ request }) => {
      questions++
      const form = new URLSearchParams(await request.text())
      const basic = Buffer.from(`${GOOGLE_CLIENT.clientId}:${secret}`).toString('base64')
      const isOurs = request.headers.get('Authorization') === `Basic ${basic}`
      if (!isOurs) return refusal('invalid_client', 401)
      const claims = codes.get(form.get('code') ?? '')
      if (!claims || !form.get('code_verifier')) return refusal('invalid_grant', 400)
      codes.delete(form.get('code') ?? '')
      const id_token = await sign(claims, own.privateKey)
      return HttpResponse.json({ access_token: 'unused', token_type: 'Bearer', expires_in: 3600, id_token })
    }),
  )
  server.listen({ onUnhandledRequest: 'bypass' })
  return {
    idToken: (claims: Claims) => sign(claims, own.privateKey),
    /** By a key that is not Google's. */
    forged: (claims: Claims) => sign(claims, foreign.privateKey),
    code(claims: Claims): string {
      const code = crypto.randomUUID()
      codes.set(code, claims)
      return code
    },
    /** How often it was asked about a code. */
    questions: () => questions,
    /** The next question about a code gets no answer. */
    silence: () => server.use(http.post(GOOGLE.token, () => delay('infinite'), { once: true })),
    /** The site's secret is another one there, until `mend`. */
    changeSecret: () => {
      secret = 'a-secret-of-later'
    },
    /** Until `mend` it answers so; with nothing as ever, but no sooner. */
    answer: (endpoint: 'keys' | 'token', response: () => Response | Promise<undefined>) =>
      server.use(http.all(GOOGLE[endpoint], response)),
    mend: () => {
      secret = GOOGLE_CLIENT.clientSecret
      server.resetHandlers()
    },
    stop: () => server.close(),
  }
}
export type FakeGoogle = Awaited<ReturnType<typeof startGoogle>>

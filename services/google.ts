import { createHmac } from 'node:crypto'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Clock } from './clock.ts'

/** Where Google signs members in (its OpenID configuration). */
export const GOOGLE = {
  origin: 'https://accounts.google.com',
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  keys: 'https://www.googleapis.com/oauth2/v3/certs',
} as const
const ISSUERS = [GOOGLE.origin, 'accounts.google.com']

/** What the provider knows the site by. */
export type GoogleClient = { readonly clientId: string; readonly clientSecret: string }
/** Who signed in there; `googleKey` is a keyed hash of issuer and subject, never of the address (api-contract C04). */
export type GoogleIdentity = { readonly googleKey: string; readonly email: string }

export type Google = {
  readonly client: GoogleClient
  /**
   * Whom an ID token is about; null for one that is forged, old, for another site, with another nonce than was asked for
   * or one that was not, or whose address Google has not verified. Throws `KeysAway` when Google's keys cannot be had.
   */
  verify(idToken: string, nonce?: string): Promise<GoogleIdentity | null>
}

/** Google's list of keys is not there, or none: no token is right or wrong. The library throws its own of that and of tokens alike. */
class KeysAway extends Error {
  override name = 'KeysAway'
}

const Claims = z.object({
  sub: z.string().min(1),
  email: z.email(),
  email_verified: z.literal(true),
  nonce: z.string().optional(),
})

/** Signing in with Google, by its public keys. */
export function createGoogle(deps: { client: GoogleClient; emailPepper: string; now: Clock }): Google {
  const { client, now } = deps
  const keys = keysAt(GOOGLE.keys)
  const keyOf = (subject: string) =>
    createHmac('sha256', deps.emailPepper).update(`${GOOGLE.origin}|${subject}`).digest('hex')
  return {
    client,
    async verify(idToken, nonce) {
      const claims = Claims.safeParse(await signed(idToken)).data
      if (!claims || claims.nonce !== nonce) return null
      return { googleKey: keyOf(claims.sub), email: claims.email }
    },
  }

  /** The claims of the token, or null where it is not Google's, not ours or too old. */
  async function signed(idToken: string): Promise<unknown> {
    const wanted = { issuer: ISSUERS, audience: client.clientId, currentDate: now(), algorithms: ['RS256'] }
    try {
      return (await jwtVerify(idToken, keys, { ...wanted, requiredClaims: ['exp'] })).payload
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }
}

/** That it has no key for a token, or several, is of the token. */
function keysAt(address: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(address))
  return async (...token) => {
    try {
      return await keys(...token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      throw new KeysAway("Google's keys cannot be had.", { cause: error })
    }
  }
}

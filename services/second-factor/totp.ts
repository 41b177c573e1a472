import { Secret, TOTP } from 'otpauth'

/** As every authenticator app has it (RFC 6238): six digits of SHA-1, a new code each thirty seconds. */
const APP = { issuer: 'LetsBuzz', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks may be one step apart. */
const WINDOW = 1
const SECRET_BYTES = 20

export const APP_CODE = /^\d{6}$/

/** A new secret in base32, as an app takes it by hand. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** What an app reads from a square code; `label` shows there whose account it is. */
export const uriOf = (secret: string, label: string): string => new TOTP({ ...APP, label, secret }).toString()

/** The step whose code this is, of those that are good at this moment; null for any other. */
export function stepOf(secret: string, token: string, at: Date): number | null {
  if (!APP_CODE.test(token)) return null
  const moment = { period: APP.period, timestamp: at.getTime() }
  const off = TOTP.validate({ ...APP, ...moment, secret: Secret.fromBase32(secret), token, window: WINDOW })
  return off === null ? null : TOTP.counter(moment) + off
}

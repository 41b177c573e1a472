import { Secret, TOTP } from 'otpauth'

/** One step of an authenticator app. */
export const STEP_MS = 30_000

/** What an app with this secret shows at a moment. */
export const appCode = (secret: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() })

/** Six digits that it shows neither then nor a step before or after. */
export function wrongCode(secret: string, at: Date): string {
  const shown = [-1, 0, 1].map((steps) => appCode(secret, new Date(at.getTime() + steps * STEP_MS)))
  const other = ['000000', '111111', '222222', '333333'].find((code) => !shown.includes(code))
  return other!
}

import { Secret, TOTP } from 'otpauth'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { Services } from '../../../usecases/ports.ts'

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

/** The app of somebody: each code is of a later step, the first of the one before this moment; three are good at once. */
export function authenticator(secret: string, now: () => Date) {
  let last = 0
  return {
    secret,
    next(): string {
      last = Math.max(Math.floor(now().getTime() / STEP_MS) - 1, last + 1)
      return appCode(secret, new Date(last * STEP_MS))
    },
    wrong: () => wrongCode(secret, now()),
  }
}
export type Authenticator = ReturnType<typeof authenticator>

/** Turns the second factor of a member on, as if they had done it themselves. */
export async function turnOn(
  { secondFactor }: Pick<Services, 'secondFactor'>,
  member: MemberId,
  now: () => Date = () => new Date(),
): Promise<Authenticator & { recoveryCodes: readonly string[] }> {
  const app = authenticator((await secondFactor.begin(member)) ?? '', now)
  const recoveryCodes = await secondFactor.confirm(member, app.next())
  if (!recoveryCodes) throw new Error('The second factor is not on.')
  return { ...app, recoveryCodes }
}

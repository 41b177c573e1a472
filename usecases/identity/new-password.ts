import { networkOf } from '../../services/limits/network.ts'
import { slowDownFor } from '../act.ts'
import { done, type Outcome } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/**
 * The hash of a password that somebody chose. It costs as much as a sign-in, so whoever asks for it has only so many
 * (api-contract §6.2, HASH). `counted`: who that is; others who are counted by the same have them together.
 */
export async function hashNewPassword(
  ports: Ports,
  password: string,
  counted: readonly string[],
): Promise<Outcome<string, 'slow-down'>> {
  for (const key of counted) {
    const wait = await slowDownFor(ports, 'HASH', key)
    if (wait) return wait
  }
  return done(await ports.passwords.hash(password, networkOf(ports.ip)))
}

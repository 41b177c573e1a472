import { networkOf } from '../../services/limits/network.ts'
import { slowDownFor } from '../act.ts'
import { done, type Outcome } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/**
 * The hash of a password that somebody chose. It costs as much as a sign-in, so a connection has only so many of them
 * (api-contract §6.2, HASH).
 */
export async function hashNewPassword(ports: Ports, password: string): Promise<Outcome<string, 'slow-down'>> {
  const network = networkOf(ports.ip)
  const wait = await slowDownFor(ports, 'HASH', network)
  return wait ?? done(await ports.passwords.hash(password, network))
}

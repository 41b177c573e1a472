import { networkOf } from '../../services/limits/network.ts'
import { slowDownFor } from '../act.ts'
import { done, type Outcome } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/** `emailKey`: of the account that is asked for, where there is one. */
type Who = { emailKey?: string | undefined; device?: string | undefined }

/**
 * Takes a try of the network that asks, and answers how many were taken, for a right one to give back: none of a device that the
 * account knows. What others of its network used up does not stop it.
 */
export async function takeNetworkTry(ports: Ports, { emailKey, device }: Who): Promise<Outcome<number, 'slow-down'>> {
  const isKnown = emailKey !== undefined && device !== undefined && (await ports.loginGuard.knows({ emailKey, device }))
  const wait = isKnown ? null : await slowDownFor(ports, 'LOGIN_IP', networkOf(ports.ip))
  return wait ?? done(isKnown ? 0 : 1)
}

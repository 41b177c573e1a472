import { networkOf } from '../../services/limits/network.ts'
import { type Refused, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/** How often an address and a connection may have mail (api-contract §6.2, SEND). */
export async function mailLimit(ports: Ports, emailKey: string): Promise<Refused<'slow-down'> | null> {
  for (const [rate, key] of [
    ['SEND', emailKey],
    ['SEND_IP', networkOf(ports.ip)],
  ] as const) {
    const taken = await ports.limits.take(rate, key)
    if (!taken.ok) return refused('slow-down', { retryInMs: taken.retryInMs })
  }
  return null
}

import { networkOf } from '../../services/limits/network.ts'
import { slowDownFor } from '../act.ts'
import type { Refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/**
 * How often an address and a connection may have mail (api-contract §6.2, SEND). The connection's comes first: one that is
 * used up takes nothing of what others' addresses may have.
 */
export async function mailLimit(ports: Ports, emailKey: string): Promise<Refused<'slow-down'> | null> {
  const network = networkOf(ports.ip)
  const connection = await slowDownFor(ports, 'SEND_IP', network)
  if (connection) return connection
  const address = await slowDownFor(ports, 'SEND', emailKey)
  if (address) await ports.limits.giveBack('SEND_IP', network)
  return address
}

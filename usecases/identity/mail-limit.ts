import type { CodePurpose } from '../../services/codes.ts'
import { networkOf } from '../../services/limits/network.ts'
import { slowDownFor } from '../act.ts'
import { type Refused, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

/** `code-issued`: a code of the purpose went to the address in the last ten minutes, or would have if it may have one. */
export type MailRefusal = 'slow-down' | 'code-issued'

/** What counts for an address: whoever asks for sign-up codes of a member's keeps them from no reset. */
export const sendKey = (purpose: CodePurpose, emailKey: string): string => `${purpose}:${emailKey}`

/**
 * How often an address and a connection may have mail (api-contract §6.2, SEND). The connection's comes first: one that is
 * used up takes nothing of what others' addresses may have, and learns of no code: it has no mail sent, so whoever asks by
 * it again and again could else watch unseen for the codes that others ask for.
 */
export async function mailLimit(
  ports: Ports,
  purpose: CodePurpose,
  emailKey: string,
): Promise<Refused<MailRefusal> | null> {
  const network = networkOf(ports.ip)
  const connection = await slowDownFor(ports, 'SEND_IP', network)
  if (connection) return connection
  const address = await slowDownFor(ports, 'SEND', sendKey(purpose, emailKey))
  if (!address) return null
  await ports.limits.giveBack('SEND_IP', network)
  const { retryInMs = 0 } = address
  return (await ports.codes.isIssued(purpose, emailKey)) ? refused('code-issued', { retryInMs }) : address
}

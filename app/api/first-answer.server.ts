import type { MemberId } from '../../domain/shared/ids.ts'
import { backOff } from '../../eventstore/retry.ts'
import type { Claim, Idempotency, KeyedRequest } from '../../services/idempotency.ts'

const WAIT_MS = 3_000
/** Of a member, in this process: each asks Postgres a few times. */
const MOST_WAITING = 24
const waiting = new Map<MemberId, number>()

/**
 * As `claim`, but a repeat waits for a while for the first request's answer (api-contract §6.0): `running` where that takes
 * longer, or where too many of the member's wait already. `left` ends the wait.
 */
export async function claimInTime(
  { claim }: Pick<Idempotency, 'claim'>,
  keyed: KeyedRequest,
  left: AbortSignal,
): Promise<Claim> {
  const { member } = keyed
  let claimed = await claim(keyed)
  if (claimed.state !== 'running' || (waiting.get(member) ?? 0) >= MOST_WAITING) return claimed
  count(member, 1)
  try {
    const late = AbortSignal.timeout(WAIT_MS)
    for (let attempt = 0; claimed.state === 'running' && !late.aborted && !left.aborted; attempt++) {
      await backOff(attempt, late, left)
      claimed = await claim(keyed)
    }
  } finally {
    count(member, -1)
  }
  return claimed
}

function count(member: MemberId, by: 1 | -1): void {
  const now = (waiting.get(member) ?? 0) + by
  if (now > 0) waiting.set(member, now)
  else waiting.delete(member)
}

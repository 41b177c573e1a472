import { pairDecider } from '../../../domain/pair/decider.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { CommandId } from '../../forms/schemas.server.ts'

/** What each of the commands writes. */
const WRITES = { Unblock: 'Unblocked', Unmatch: 'Unmatched' } as const
type Ask = { type: keyof typeof WRITES; target: MemberId; sent: string | null }

/** Whether the member ended this, by the command whose id an address has: a mere address names nobody. */
export function hasEnded(acting: Acting, { type, target, sent }: Ask): Promise<boolean> {
  const { member } = acting.who
  const command = { type, by: member, target, at: acting.now() }
  return acting.isRepeat(pairDecider, command, CommandId.parse(sent), { type: WRITES[type], actor: member })
}

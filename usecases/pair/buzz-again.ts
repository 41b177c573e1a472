import type { MemberId } from '../../domain/shared/ids.ts'
import { type Refused, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/*
 * Each buzz notifies its receiver at once, and one that is taken back makes room for another: by pair these have a limit
 * (api-contract §6.2, BUZZ; security T33). What takes a buzz back is counted, and never refused: so the same buzz sent twice
 * is one.
 */

const keyOf = ({ who }: Acting, to: MemberId) => `${who.member}:${to}`

/** Before a buzz of the member's to this one may be over, so that they may send another. */
export async function noteTakenBack(acting: Acting, to: MemberId): Promise<void> {
  await acting.limits.take('BUZZ_PAIR', keyOf(acting, to))
}

/** How long the member waits until they may buzz this one again; null where they need not. */
export async function slowDownAgain(acting: Acting, to: MemberId): Promise<Refused<'slow-down'> | null> {
  const again = await acting.limits.peek('BUZZ_PAIR', keyOf(acting, to))
  return again.ok ? null : refused('slow-down', { retryInMs: again.retryInMs })
}

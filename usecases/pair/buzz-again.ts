import type { MemberId } from '../../domain/shared/ids.ts'
import type { Appended } from '../act.ts'
import { type Outcome, type Refused, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/*
 * Each buzz notifies its receiver at once, and one that is taken back makes room for another: by pair these have a limit
 * (api-contract §6.2, BUZZ; security T33). What takes a buzz back is counted, and never refused: so the same buzz sent twice
 * is one.
 */

const keyOf = ({ who }: Acting, to: MemberId) => `${who.member}:${to}`

/** Counts what takes the member's buzz to this one back, before they can send another; what changed nothing is not counted. */
export async function takingBack<E, R extends string>(
  acting: Acting,
  to: MemberId,
  takeBack: () => Promise<Outcome<Appended<E>, R>>,
): Promise<Outcome<Appended<E>, R>> {
  const key = keyOf(acting, to)
  const counted = await acting.limits.take('BUZZ_PAIR', key)
  const outcome = await takeBack()
  const isOver = outcome.ok && !outcome.value.repeated && outcome.value.events.length > 0
  if (!isOver && counted.ok) await acting.limits.giveBack('BUZZ_PAIR', key)
  return outcome
}

/** How long the member waits until they may buzz this one again; null where they need not. */
export async function slowDownAgain(acting: Acting, to: MemberId): Promise<Refused<'slow-down'> | null> {
  const again = await acting.limits.peek('BUZZ_PAIR', keyOf(acting, to))
  return again.ok ? null : refused('slow-down', { retryInMs: again.retryInMs })
}

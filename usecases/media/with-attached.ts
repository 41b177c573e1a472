import type { Claim, Media } from '../../services/media/records.ts'
import { type Outcome, type Refused, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/**
 * Has a command refer to an upload of the member's own. It is attached before, so that no sweep takes it meanwhile, and
 * stays so where the command is refused: another one may have referred to it at the same time. What no gallery names is
 * found a day later (`removeUnused`).
 */
export async function withAttached<T, R extends string>(
  { media, who }: Acting,
  claim: Claim,
  command: (own: Media) => Promise<Outcome<T, R>>,
): Promise<Outcome<T, R> | Refused<'invalid-media'>> {
  const [own] = (await media.attach({ member: who.member }, [claim])) ?? []
  if (!own) return refused('invalid-media')
  return command(own)
}

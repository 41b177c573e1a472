import type { MemberId } from '../../domain/shared/ids.ts'
import { findAccess } from '../../projections/view/access.ts'
import { done, type Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/**
 * Of somebody whom the member cannot see, one of these refusals counts as done: it would show which of deactivated and
 * blocked it is, and the member may know neither (ruling R5).
 */
export async function doneWhereUnseen<T, R extends string>(
  { read, who }: Acting,
  other: MemberId,
  outcome: Outcome<T, R>,
  refusals: readonly R[],
): Promise<Outcome<T | null, R>> {
  if (outcome.ok || !refusals.includes(outcome.reason)) return outcome
  return (await findAccess(read, who.member, other)) === 'unavailable' ? done(null) : outcome
}

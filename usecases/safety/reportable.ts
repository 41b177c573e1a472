import { memberDecider } from '../../domain/identity/member.ts'
import type { Evidence } from '../../domain/safety/events.ts'
import { days } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { collectEvidence, type Pointed } from '../../projections/view/evidence.ts'
import type { Acting } from '../ports.ts'

/** For so long somebody erased can be reported (api-contract C44). */
const REPORTABLE_MS = days(90)

/**
 * What a report of the target would keep, or null where nobody can be reported: never a member, or erased more than 90 days
 * ago. Ids cannot be guessed: whoever knows one has met its owner.
 */
export async function evidenceOf(acting: Acting, target: MemberId, pointed?: Pointed): Promise<Evidence | null> {
  const evidence = await collectEvidence(acting.read, acting.who.member, target, pointed)
  if (evidence.profile) return evidence
  const { erasedAt } = await acting.loadState(memberDecider, target)
  const isRecent = erasedAt !== null && acting.now().getTime() - erasedAt.getTime() <= REPORTABLE_MS
  return isRecent ? evidence : null
}

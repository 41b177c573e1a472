import { memberDecider } from '../../domain/identity/member.ts'
import type { Evidence } from '../../domain/safety/events.ts'
import { days } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { collectReported, evidenceFrom, type Pointed } from '../../projections/view/evidence.ts'
import type { Acting } from '../ports.ts'

/** For so long somebody erased can be reported (api-contract C44). */
const REPORTABLE_MS = days(90)

/** `gone`: the target is erased, and nothing of theirs is in the evidence. */
export type Reportable = { readonly evidence: Evidence; readonly gone: boolean }

/**
 * What a report of the target would keep, or null where nobody can be reported: never a member, or erased more than 90 days
 * ago. Ids cannot be guessed: whoever knows one has met its owner.
 */
export async function evidenceOf(acting: Acting, target: MemberId, pointed?: Pointed): Promise<Reportable | null> {
  const reported = await collectReported(acting.read, acting.who.member, target, pointed)
  // After the rows, which may be behind: by then the log knows of each erasure that they do.
  const { erasedAt } = await acting.loadState(memberDecider, target)
  if (erasedAt === null) return reported.profile && { evidence: evidenceFrom(reported, null), gone: false }
  const isRecent = acting.now().getTime() - erasedAt.getTime() <= REPORTABLE_MS
  return isRecent ? { evidence: evidenceFrom(reported, target), gone: true } : null
}

import type { MemberId } from '../../domain/shared/ids.ts'
import { listOpenReportsAbout } from '../../projections/reports/queries.ts'
import { closeCase } from './close-case.ts'
import { type ModerationRefused, type Operating, shutAccount } from './moderating.ts'

/** Shuts a member out, then closes the open cases about them. Interrupted, the same call resumes where it stopped. */
export async function suspendAccount(
  context: Operating,
  member: MemberId,
  reason: string,
): Promise<{ ok: true; sessions: number; cases: number } | ModerationRefused> {
  const shut = await shutAccount(context, { type: 'Suspend', member, reason, at: context.now() })
  if (!shut.ok) return shut
  const cases = await listOpenReportsAbout(context.read, member)
  for (const one of cases) await closeCase(context, one, 'suspended')
  return { ...shut, cases: cases.length }
}

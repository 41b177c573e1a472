import { RESTRICTED_MODES } from '../../domain/profile/choices.ts'
import { ProfileChanges } from '../../domain/profile/commands.ts'
import { type ProfileRefusal, profileDecider } from '../../domain/profile/decider.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import { type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Why a profile stays as it is. `invalid` names the fields that cannot be. */
export type EditReason = ProfileRefusal | PipelineRefusal | 'restricted' | 'invalid'
export type EditOutcome = Outcome<unknown, EditReason>

/** Changes the fields that are given; one event each (api-contract C08). */
export async function editProfile(
  acting: Acting,
  { changes, commandId }: { changes: unknown; commandId: string },
): Promise<EditOutcome> {
  const parsed = ProfileChanges.safeParse(changes)
  if (!parsed.success)
    return refused('invalid', { fields: parsed.error.issues.map(({ path }) => String(path[0] ?? '')) })
  const restricted: readonly string[] = RESTRICTED_MODES
  const isRestricted = parsed.data.vibe !== undefined && restricted.includes(parsed.data.vibe)
  if (isRestricted && !acting.who.entitlements.restricted) return refused('restricted')
  const wait = (await slowDown(acting, 'WRITE')) ?? (onlyHides(parsed.data) ? null : await slowDown(acting, 'EDIT'))
  if (wait) return wait
  const command = { type: 'EditProfile' as const, member: acting.who.member, changes: parsed.data, at: acting.now() }
  return sendUntilItHolds(acting, { commandId }, profileDecider, command)
}

/** Whoever wants to be seen no more never waits for the next day; hiding again takes showing first, which is counted. */
const onlyHides = ({ visibility, visibilityMode, ...others }: ProfileChanges) =>
  Object.keys(others).length === 0 && visibility !== 'active' && (visibilityMode ?? 'hidden') === 'hidden'

import { RESTRICTED_MODES } from '../../domain/profile/choices.ts'
import { ProfileChanges } from '../../domain/profile/commands.ts'
import { type ProfileRefusal, profileDecider } from '../../domain/profile/decider.ts'
import { type PipelineRefusal, type Rate, sendUntilItHolds, slowDownBy } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Why a profile stays as it is. `invalid` names the fields that cannot be. */
export type EditReason = ProfileRefusal | PipelineRefusal | 'restricted' | 'invalid'
export type EditOutcome = Outcome<unknown, EditReason>

/** Changes the fields that are given; one event each (api-contract C08). */
export async function editProfile(
  acting: Acting,
  { changes, commandId }: { changes: unknown; commandId: string },
): Promise<EditOutcome> {
  const read = readChanges(acting, changes)
  if (!read.ok) return read
  const wait = await slowDownBy(acting, takenByEdit(read.value))
  if (wait) return wait
  const command = { type: 'EditProfile' as const, member: acting.who.member, changes: read.value, at: acting.now() }
  return sendUntilItHolds(acting, { commandId }, profileDecider, command)
}

/** What is asked for, as far as the member may ask for it. */
export function readChanges(acting: Acting, changes: unknown): Outcome<ProfileChanges, 'invalid' | 'restricted'> {
  const parsed = ProfileChanges.safeParse(changes)
  if (!parsed.success)
    return refused('invalid', { fields: parsed.error.issues.map(({ path }) => String(path[0] ?? '')) })
  const restricted: readonly string[] = RESTRICTED_MODES
  const isRestricted = parsed.data.vibe !== undefined && restricted.includes(parsed.data.vibe)
  return isRestricted && !acting.who.entitlements.restricted ? refused('restricted') : done(parsed.data)
}

/** The classes of its limits (api-contract §6.2). */
export const takenByEdit = (changes: ProfileChanges): readonly Rate[] =>
  onlyHides(changes) ? ['WRITE'] : ['WRITE', 'EDIT']

/** Whoever wants to be seen no more never waits for the next day; hiding again takes showing first, which is counted. */
const onlyHides = ({ visibility, visibilityMode, ...others }: ProfileChanges) =>
  Object.keys(others).length === 0 && visibility !== 'active' && (visibilityMode ?? 'hidden') === 'hidden'

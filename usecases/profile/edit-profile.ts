import { RESTRICTED_MODES } from '../../domain/profile/choices.ts'
import { ProfileChanges } from '../../domain/profile/commands.ts'
import { type ProfileRefusal, profileDecider } from '../../domain/profile/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'
import { type FieldErrors, fieldErrors } from '../field-errors.ts'

export type EditOutcome =
  | { ok: true }
  | Refusal<ProfileRefusal | PipelineRefusal | 'restricted'>
  | (Refusal<'invalid'> & { fields: FieldErrors })

/** Changes the fields that are given; one event each (api-contract C08). */
export async function editProfile(
  context: Acting,
  me: MemberId,
  { changes, commandId }: { changes: unknown; commandId: string },
): Promise<EditOutcome> {
  const parsed = ProfileChanges.safeParse(changes)
  if (!parsed.success) return { ok: false, reason: 'invalid', fields: fieldErrors(parsed.error) }
  const restricted: readonly string[] = RESTRICTED_MODES
  if (parsed.data.vibe && restricted.includes(parsed.data.vibe)) return { ok: false, reason: 'restricted' }
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  const command = { type: 'EditProfile' as const, member: me, changes: parsed.data, at: context.now() }
  return send(context, { me, commandId }, profileDecider, command)
}

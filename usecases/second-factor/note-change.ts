import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'

/** Records what changed, of which the member is mailed. */
export async function noteChange(
  ports: Ports,
  member: MemberId,
  how: 'turned-on' | 'turned-off' | 'codes-renewed',
): Promise<void> {
  const command = { type: 'NoteSecondFactor', member, how, at: ports.now() } as const
  await ports.dispatch(memberDecider, command, { commandId: randomUUID(), actor: member })
}

import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'

/**
 * Says in the log that these sessions ended, so that sockets on them close within the second (security §3.2).
 * The rows are gone before: whatever happens then, the tokens are dead.
 */
export async function noteEndedSessions(
  context: Ports,
  member: MemberId,
  sessions: readonly SessionId[],
): Promise<void> {
  if (sessions.length === 0) return
  const command = { type: 'RevokeSessions' as const, member, sessions: [...sessions], at: context.now() }
  await context.dispatch(memberDecider, command, { commandId: randomUUID(), actor: member })
}

/** Ends the caller's session; quiet when there is none any more (api-contract N2). */
export async function logOut(context: Ports, viewer: { member: MemberId; session: SessionId } | null): Promise<void> {
  if (!viewer) return
  const ended = await context.sessions.revoke(viewer.session)
  if (ended) await noteEndedSessions(context, viewer.member, [viewer.session])
}

import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'

/**
 * Records in the log that these sessions ended, so that sockets on them close within the second (security §3.2). The
 * rows are gone before: whatever happens then, the tokens are dead.
 */
export async function noteEndedSessions(ports: Ports, member: MemberId, sessions: readonly SessionId[]): Promise<void> {
  if (sessions.length === 0) return
  const command = { type: 'RevokeSessions' as const, member, sessions: [...sessions], at: ports.now() }
  await ports.dispatch(memberDecider, command, { commandId: randomUUID(), actor: member })
}

import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'
import { noteEndedSessions } from './note-ended-sessions.ts'

/** Ends the caller's session; quiet when there is none any more (api-contract N2). */
export async function logOut(ports: Ports, viewer: { member: MemberId; session: SessionId } | null): Promise<void> {
  if (!viewer) return
  const ended = await ports.sessions.revoke(viewer.session)
  if (ended) await noteEndedSessions(ports, viewer.member, [viewer.session])
}

import type { SessionId } from '../../domain/shared/ids.ts'

const MOST = 100_000

/** Sessions that the log has ended, the latest of them: they matter between the look at a session and its socket. */
export class RevokedSessions {
  private readonly sessions = new Set<SessionId>()

  has(session: SessionId): boolean {
    return this.sessions.has(session)
  }

  add(sessions: readonly SessionId[]): void {
    for (const session of sessions) this.sessions.add(session)
    for (const oldest of this.sessions) {
      if (this.sessions.size <= MOST) return
      this.sessions.delete(oldest)
    }
  }
}

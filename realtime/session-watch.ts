import type { SessionId } from '../domain/shared/ids.ts'
import type { Connection } from './connection.ts'
import type { RealtimeDeps } from './deps.ts'
import { CloseCode } from './protocol.ts'

type Watch = Pick<RealtimeDeps, 'sessionsThere' | 'logLine'> & {
  readonly everyMs: number
  readonly sockets: () => Iterable<Connection>
}

/**
 * Closes sockets whose session is gone, or idle for too long, without an event of it: an open socket is no use of its
 * session, requests are. As long as nobody answers which sessions are there, every
 * socket stays.
 */
export function watchSessions(watch: Watch): { stop(): void } {
  let asking = false
  const timer = setInterval(() => {
    if (asking) return
    asking = true
    closeEnded(watch)
      .catch(() => watch.logLine('The sessions of open sockets could not be looked up.'))
      .finally(() => {
        asking = false
      })
  }, watch.everyMs).unref()
  return { stop: () => clearInterval(timer) }
}

async function closeEnded({ sessionsThere, sockets }: Watch): Promise<void> {
  const bySession = new Map<SessionId, Connection[]>()
  for (const connection of sockets()) {
    const session = connection.open && connection.identity?.session
    if (session) bySession.set(session, [...(bySession.get(session) ?? []), connection])
  }
  if (bySession.size === 0) return
  for (const session of await sessionsThere([...bySession.keys()])) bySession.delete(session)
  for (const connection of [...bySession.values()].flat()) connection.close(CloseCode.signedOut, 'session over')
}

import { findAccountState } from '../../projections/accounts/queries.ts'
import type { Ports } from '../ports.ts'

type Reach = Pick<Ports, 'sessions' | 'tickets' | 'read'>
type Session = NonNullable<Awaited<ReturnType<Ports['sessions']['find']>>>

/** The session of a token, of an account that is active; null for unknown, expired and revoked ones alike. */
export async function findActiveSession({ sessions, read }: Reach, token: string): Promise<Session | null> {
  return ofActiveAccount(read, await sessions.find(token))
}

/** The same of a session's token or of a short-lived ticket, which lives no longer than its session. */
export async function findSessionOfTicket(reach: Reach, value: string): Promise<Session | null> {
  const ticket = await reach.tickets.redeem(value)
  if (!ticket) return findActiveSession(reach, value)
  const alive = await reach.sessions.list(ticket.member)
  return ofActiveAccount(reach.read, alive.find(({ id }) => id === ticket.session) ?? null)
}

async function ofActiveAccount(read: Reach['read'], session: Session | null): Promise<Session | null> {
  const account = session && (await findAccountState(read, session.member))
  return account?.status === 'active' ? session : null
}

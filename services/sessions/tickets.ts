import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'
import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import type { Clock } from '../clock.ts'
import { createSigner } from '../secrets.ts'

/** A ticket opens a socket within this time (api-contract §6.8). */
export const TICKET_MS = 60_000

export type Ticket = { member: MemberId; session: SessionId }
/** Short-lived proofs of a session for the first frame of a socket; nothing is stored. */
export type Tickets = {
  issue(ticket: Ticket): { ticket: string; expiresInMs: number }
  /** Null when forged or too old. The caller still checks that the session is alive. */
  verify(ticket: string): Ticket | null
}

export function createTickets({ secret, now }: { secret: Buffer; now: Clock }): Tickets {
  const signer = createSigner(secret, 'socket-tickets')
  return {
    issue({ member, session }) {
      const body = `${member}.${session}.${now().getTime() + TICKET_MS}`
      return { ticket: `${body}.${signer.sign(body)}`, expiresInMs: TICKET_MS }
    },
    verify(ticket) {
      const [member, session, expires, signature, ...rest] = ticket.slice(0, 256).split('.')
      if (!member || !session || !expires || !signature || rest.length > 0) return null
      if (!ID_PATTERN.test(member) || !ID_PATTERN.test(session)) return null
      if (!signer.verify(`${member}.${session}.${expires}`, signature)) return null
      const left = Number(expires) - now().getTime()
      if (!(left > 0 && left <= TICKET_MS)) return null
      return { member: member as MemberId, session: session as SessionId }
    },
  }
}

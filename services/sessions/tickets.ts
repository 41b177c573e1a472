import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'
import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { randomId } from '../random-id.ts'
import { createSigner, hashToken } from '../secrets.ts'

/** A ticket opens one socket within this time (api-contract §6.8). */
export const TICKET_MS = 60_000

export type Ticket = { member: MemberId; session: SessionId }
/** Short-lived proofs of a session for the first frame of a socket. Each is good once; only those used are stored. */
export type Tickets = {
  issue(ticket: Ticket): { ticket: string; expiresInMs: number }
  /** Uses it up. Null when forged, too old or used. The caller still checks that the session is alive. */
  redeem(ticket: string): Promise<Ticket | null>
  /** Forgets those that are too old to be used again. */
  sweep(): Promise<number>
}

/** `body` is what was signed: it names the ticket, however its signature may be spelt. */
type Signed = Ticket & { readonly expiresAt: Date; readonly body: string }

export function createTickets({ db, secret, now }: { db: AppDb; secret: Buffer; now: Clock }): Tickets {
  const signer = createSigner(secret, 'socket-tickets')

  function read(ticket: string): Signed | null {
    const [member, session, expires, nonce, signature, ...rest] = ticket.slice(0, 256).split('.')
    if (!member || !session || !expires || !nonce || !signature || rest.length > 0) return null
    if (!ID_PATTERN.test(member) || !ID_PATTERN.test(session)) return null
    const body = `${member}.${session}.${expires}.${nonce}`
    if (!signer.verify(body, signature)) return null
    const left = Number(expires) - now().getTime()
    if (!(left > 0 && left <= TICKET_MS)) return null
    return { member: member as MemberId, session: session as SessionId, expiresAt: new Date(Number(expires)), body }
  }

  return {
    issue({ member, session }) {
      const body = `${member}.${session}.${now().getTime() + TICKET_MS}.${randomId()}`
      return { ticket: `${body}.${signer.sign(body)}`, expiresInMs: TICKET_MS }
    },
    async redeem(ticket) {
      const signed = read(ticket)
      if (!signed) return null
      const { member, session, expiresAt, body } = signed
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('spent_ticket')
        .values({ hash: hashToken(body), expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n ? { member, session } : null
    },
    async sweep() {
      const { numDeletedRows } = await db.deleteFrom('spent_ticket').where('expires_at', '<=', now()).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

import { waitOfDead } from '../app/request/address-limit.server.ts'
import { sessionTokenOf } from '../app/request/session-cookie.server.ts'
import type { Identity } from '../realtime/connection.ts'
import type { Authenticate } from '../realtime/deps.ts'
import { findActiveSession, findSessionOfTicket } from '../usecases/identity/find-session.ts'
import type { Ports } from '../usecases/ports.ts'

/**
 * Who is at the other end of a socket, by the page's cookie, a bearer token or a ticket. What shows nobody counts with the
 * visitors of its network. Once those are too many, an upgrade with a cookie has to show a live session, and a bearer token
 * is not looked up any more; a ticket carries a signature and needs no such limit.
 */
export function authenticateBy(ports: Ports): Authenticate {
  const { limits, sessions } = ports
  const known = async (session: Session, network: string) => {
    if (!session) await limits.take('ANONYMOUS', network)
    return identityOf(session)
  }
  return {
    async waitOf({ cookie, network }) {
      const token = cookie ? await tokenOf(cookie) : null
      const key = keyOf(network, token)
      const isAlive = async () => !token || (await findActiveSession(ports, token)) !== null
      const dead = await waitOfDead(limits, { rate: 'SOCKET', network, isAlive })
      if (dead !== null) return dead
      const taken = await limits.take('SOCKET', key)
      return taken.ok ? null : taken.retryInMs
    },
    async flooded({ cookie, network }) {
      await limits.take('SOCKET', keyOf(network, cookie ? await tokenOf(cookie) : null), A_FLOOD)
    },
    async cookie(header, network) {
      const token = await tokenOf(header)
      return token ? known(await findActiveSession(ports, token), network) : null
    },
    async token(value, network) {
      const isTicket = sessions.keyOf(value) === null
      if (!isTicket && !(await limits.peek('ANONYMOUS', network)).ok) return 'throttled'
      return known(await findSessionOfTicket(ports, value), network)
    },
  }
}

/** Sockets that a flood counts as, since some hundred frames are read before it ends: a network may send twenty a minute. */
const A_FLOOD = 30

/** A socket without a token may have a ticket, for its first frame; anybody can begin such, so they are counted apart. */
const keyOf = (network: string, token: string | null) => (token ? network : `${network} without a cookie`)

type Session = Awaited<ReturnType<typeof findActiveSession>>

const tokenOf = (cookie: string) => sessionTokenOf(new Request('http://own.invalid', { headers: { Cookie: cookie } }))

function identityOf(session: Session): Identity | null {
  return session && { member: session.member, session: session.id, until: session.expiresAt }
}

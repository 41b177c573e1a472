import { sessionTokenOf } from '../app/request/session-cookie.server.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import type { Identity } from '../realtime/connection.ts'
import type { Authenticate } from '../realtime/deps.ts'
import { fromElsewhere } from '../services/limits/network.ts'
import { findActiveSession, findSessionOfTicket } from '../usecases/identity/find-session.ts'
import type { Ports } from '../usecases/ports.ts'

/**
 * Who is at the other end of a socket, by the page's cookie, a bearer token or a ticket. The sockets of members count for
 * their network and for the member; what shows nobody counts with the visitors of its network, apart from members, so that
 * strangers use up nothing of theirs; what pages of other sites begin counts by itself. A session that an upgrade shows is looked up for that. Once the visitors are too many, a
 * dead one is refused, and a bearer token is not looked up any more; a ticket carries a signature and needs no such limit.
 */
export function authenticateBy(ports: Ports): Authenticate {
  const { limits, sessions } = ports
  const over = async (rate: 'SOCKET' | 'ANONYMOUS', key: string, points?: number) => {
    const taken = await limits.take(rate, key, points)
    return taken.ok ? null : taken.retryInMs
  }
  const sessionIn = async (cookie: string | undefined) => {
    const token = cookie ? await tokenOf(cookie) : null
    return token ? findActiveSession(ports, token) : null
  }
  return {
    async waitOf({ cookie, network, isForeign }) {
      // Anybody's browser sends what a page of another site asks: it takes no socket of the network's programs.
      if (isForeign) return over('SOCKET', fromElsewhere(network))
      if (!cookie || !(await tokenOf(cookie))) return over('SOCKET', strangersOf(network))
      const left = await limits.peek('SOCKET', network)
      if (!left.ok) return left.retryInMs
      const session = await sessionIn(cookie)
      if (!session) return (await over('ANONYMOUS', network)) ?? over('SOCKET', strangersOf(network))
      return (await over('SOCKET', keyOf(session.member), OF_MEMBER)) ?? over('SOCKET', network)
    },
    async flooded({ cookie, network }, known) {
      const member = known ?? (await sessionIn(cookie))?.member
      await over('SOCKET', member ? keyOf(member) : strangersOf(network), A_FLOOD)
    },
    async cookie(header) {
      return identityOf(await sessionIn(header))
    },
    async token(value, network) {
      const isTicket = sessions.keyOf(value) === null
      if (!isTicket && !(await limits.peek('ANONYMOUS', network)).ok) return 'throttled'
      const session = await findSessionOfTicket(ports, value)
      if (!session) await limits.take('ANONYMOUS', network)
      else if (!(await limits.peek('SOCKET', keyOf(session.member))).ok) return 'throttled'
      return identityOf(session)
    },
  }
}

/** Sockets that a flood counts as, since some hundred frames are read before it ends: a member may send twenty a minute. */
const A_FLOOD = 30
/** One member may begin a fifth of the sockets of a network. */
const OF_MEMBER = 5

const keyOf = (member: MemberId) => `member ${member}`
/** A socket without a token may have a ticket, for its first frame; anybody can begin such, so they are counted apart. */
const strangersOf = (network: string) => `${network} without a session`

type Session = Awaited<ReturnType<typeof findActiveSession>>

const tokenOf = (cookie: string) => sessionTokenOf(new Request('http://own.invalid', { headers: { Cookie: cookie } }))

function identityOf(session: Session): Identity | null {
  return session && { member: session.member, session: session.id, until: session.expiresAt }
}
